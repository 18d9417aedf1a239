import { NO_TARGETS, type Targets, targetsOf } from "../../../../src/features/actions/advice.ts";
import type { Cards, Statement } from "../../answers.ts";
import { isFiltered } from "../../filter.ts";
import { change, figure, isFlat, share, type Unit } from "../../format.ts";
import { hasAds, organization } from "../../session.ts";
import { amountOf, hasLine } from "../../statement.ts";
import { t } from "../../text.ts";
import { changeOf } from "../acquisition/sources.ts";
import { knownOf } from "../known.ts";
import { report } from "./reportText.ts";

interface Props {
  readonly statement: Statement;
  readonly cards: Cards | undefined;
  /** The cards' figures of the period compared with. */
  readonly before: object | undefined;
  readonly isCompared: boolean;
  readonly days: { readonly from: string; readonly to: string };
}

const LINES = ["netRevenue", "contribution3", "profit"] as const;
const OF_CARDS = [
  { name: "orders", unit: "count" },
  { name: "newCustomers", unit: "count" },
  { name: "cac", unit: "currency" },
] as const;

/** The figures that say how the shop did, with the period before and the targets. */
export function KeyFigures({ statement, cards, before, isCompared, days }: Props) {
  // Targets are of the whole organization.
  const all = (!isFiltered.value && organization.value?.targets) || NO_TARGETS;
  const targets = targetsOf(all, days.from, days.to);
  return (
    <dl class="report-figures">
      {LINES.filter((line) => hasLine(statement, line)).map((line) => {
        const isUnsaid = line === "profit" && hasLine(statement, "fixed") && amountOf(statement, "fixed") === null;
        return (
          <One
            key={line}
            name={line}
            unit="currency"
            value={isUnsaid ? null : statement.statement[line].amount}
            before={isCompared && !isUnsaid ? (statement.previousPeriod?.[line] ?? null) : undefined}
            pct={statement.changes?.[line].pct ?? null}
            target={line === "netRevenue" ? null : targets[line]}
          />
        );
      })}
      {OF_CARDS.map(({ name, unit }) => {
        const isUnspent = name === "cac" && !hasAds.value;
        const value = cards && !isUnspent ? knownOf(cards, name) : null;
        const then = isCompared && before && !isUnspent ? knownOf(before, name) : undefined;
        const target = name === "cac" ? targets.cac : null;
        return <One key={name} {...{ name, unit, value, target }} before={then} pct={changeOf(value, then)} />;
      })}
    </dl>
  );
}

interface OneProps {
  readonly name: (typeof LINES)[number] | (typeof OF_CARDS)[number]["name"];
  readonly unit: Unit;
  readonly value: number | null;
  /** Undefined: nothing is compared. */
  readonly before: number | null | undefined;
  readonly pct: number | null;
  readonly target: Targets[keyof Targets];
}

function One({ name, unit, value, before, pct, target }: OneProps) {
  const text = pct === null || value === null ? "" : isFlat(pct) ? change(0) : change(pct);
  return (
    <div data-figure={name}>
      <dt>{t().metric[name]}</dt>
      <dd class="report-value">{figure(value, unit)}</dd>
      {before !== undefined && (
        <dd class="report-before">
          {text && <span>{text} </span>}
          {report().before(figure(before, unit))}
        </dd>
      )}
      {target !== null && value !== null && (
        <dd class="report-target">
          {name === "cac"
            ? report().limit(figure(target, unit))
            : report().target(figure(target, unit), share(value / target))}
        </dd>
      )}
    </div>
  );
}
