import type { Targets } from "../../../../src/features/actions/advice.ts";
import type { Answer } from "../../answer.ts";
import type { Cards, Line, Statement, Trend } from "../../answers.ts";
import { download, type Query } from "../../api.ts";
import type { Point } from "../../charts/series.ts";
import { Card, fileParams } from "../../components/Card.tsx";
import { Figure } from "../../components/Figure.tsx";
import { hasLacks, Lacking, lacksOn } from "../../components/Lacking.tsx";
import { explainer } from "../../explain.ts";
import { isFiltered } from "../../filter.ts";
import { figure, range, type Unit } from "../../format.ts";
import { hasNoProducts } from "../../goods.ts";
import { later } from "../../later.tsx";
import type { Compared, Granularity } from "../../period.ts";
import { hasAds, organization } from "../../session.ts";
import { amountOf, hasLine, hidesMedia } from "../../statement.ts";
import { t } from "../../text.ts";
import { shareToken } from "../../token.ts";
import { changeOf } from "../acquisition/sources.ts";
import { isComparable, knownOf, unknownFor } from "../known.ts";
import { pointOf } from "./points.ts";

const Pace = later(() => import("./Pace.tsx").then((one) => one.Pace));

interface Indicator {
  readonly name: string;
  readonly unit: Unit;
  /** The better direction; undefined if neither is better. */
  readonly better?: "more" | "less";
  /** The reason for a null. */
  readonly reason?: string;
  /** Whether the margin of the whole history is in it, which cannot follow the period's prices and costs. */
  readonly hasMargin?: boolean;
}

/** The figures that say how a shop does. The trend has each of them under the same name. */
const MAIN: readonly Indicator[] = [
  { name: "revenue", unit: "currency", better: "more" },
  { name: "cac", unit: "currency", better: "less" },
];

const OTHERS: readonly Indicator[] = [
  { name: "ltvCacRatio", unit: "times", better: "more" },
  { name: "orders", unit: "count", better: "more" },
  { name: "averageTicket", unit: "currency", better: "more" },
  { name: "newCustomers", unit: "count", better: "more" },
  { name: "recurringCustomers", unit: "count", better: "more" },
  { name: "recurringOrders", unit: "count", better: "more" },
  { name: "investment", unit: "currency" },
  { name: "marginPercent", unit: "percent", better: "more", hasMargin: true },
  { name: "contributionProfit", unit: "currency", better: "more", hasMargin: true },
  { name: "roi", unit: "ratio", better: "more" },
  { name: "cpv", unit: "currency", better: "less" },
  { name: "ltv", unit: "currency", better: "more", reason: "no_customers" },
  { name: "retentionLtv", unit: "currency", better: "more", reason: "no_customers" },
  { name: "clv", unit: "currency", better: "more", reason: "no_customers" },
  { name: "conversionRate", unit: "percent", better: "more", reason: "no_funnel" },
];

const TO_DATE = ["ltv", "ltvCacRatio", "retentionLtv", "clv"] as const;

interface Props {
  readonly query: Query;
  readonly answer: Answer<Cards>;
  readonly statementQuery: Query;
  readonly statement: Statement | undefined;
  /** The cards of dates of the user's own. */
  readonly own: Cards | undefined;
  readonly compared: Compared | undefined;
  readonly trend: Trend | undefined;
  readonly granularity: Granularity;
  readonly last: string;
  readonly targets: Targets;
}

export function Figures(props: Props) {
  const { query, answer, compared } = props;
  const words = t().cockpit;
  const days = compared ? range(compared.from, compared.to) : "";
  const lack = (of: Compared) => t().figure.incomplete(figure(of.known, "count"), figure(of.of, "count"));
  const note = !compared
    ? words.notCompared
    : compared.isComplete
      ? words.comparedWith(days)
      : words.comparedPartly(days, lack(compared));
  return (
    <Card
      name="cards"
      title={words.figures}
      question={note}
      query={query}
      answer={answer}
      height="medium"
      items={[{ is: "action", text: words.saveOrders, act: () => void saveOrders(query) }]}
    >
      {(cards) => (
        <>
          <Lacking answer={cards} />
          <div class="figures figures-main">
            <Left {...props} line="contribution3" />
            {(!props.statement || hasLine(props.statement, "profit")) && <Left {...props} line="profit" />}
            {MAIN.map((indicator) => (
              <One key={indicator.name} {...props} indicator={indicator} cards={cards} size="hero" />
            ))}
          </div>
          {hasPace() && <Pace />}
          <div class="figures figures-others">
            {OTHERS.map((indicator) => (
              <One key={indicator.name} {...props} indicator={indicator} cards={cards} size="small" />
            ))}
          </div>
          {cards.marginConfigured && (
            <p class="note">{words.toDateNote(TO_DATE.map((name) => t().metric[name]).join(", "))}</p>
          )}
        </>
      )}
    </Card>
  );
}

/** Whether the month has targets, which are of the whole organization. A share says nothing of them. */
const hasPace = (): boolean => {
  if (shareToken !== undefined || isFiltered.value) return false;
  const { revenue, contribution3, profit } = organization.value?.targets ?? {};
  return [revenue, contribution3, profit].some((target) => target != null);
};

/** For the accountant: every counted order of the period, a row each. */
function saveOrders({ params: { startDate, endDate } }: Query): Promise<void> {
  const path = "/v1/profitability/orders";
  return download({ path, params: { startDate, endDate } }, "xlsx", { all: true, ...fileParams(path) });
}

/** What the shop has left. While a store or an account lacks days it says so, and gives no verdict. */
function Left({ line, ...props }: Props & { readonly line: Line & ("contribution3" | "profit") }) {
  const { statement, statementQuery, compared, granularity, last, targets } = props;
  const isUnsaid =
    line === "profit" && statement && hasLine(statement, "fixed") && amountOf(statement, "fixed") === null;
  const value = isUnsaid ? null : (statement?.statement[line].amount ?? null);
  const reasons = [
    ...(statement?.statement.contribution3.amount === null
      ? [hidesMedia(statement) ? "hidden_spend" : hasNoProducts(statement) ? "no_products" : "unknown_goods"]
      : []),
    ...(isUnsaid ? ["no_fixed"] : []),
  ];
  const why = statement && value === null ? reasons.map((name) => t().reason[name]).join("; ") : undefined;
  const isComplete = compared?.isComplete !== false;
  const isPartial = statement?.missing.some(({ item }) => item !== "goods" && item !== "fixed") ?? false;
  const basis = [statement ? lacksOn(statement) : "", isPartial && value !== null ? t().cockpit.partial : ""];
  const points: readonly Point[] = statement?.data?.map(({ date }) => pointOf(date, granularity, last)) ?? [];
  return (
    <Figure
      name={line}
      label={t().metric[line] ?? line}
      unit="currency"
      value={value}
      basis={basis.filter(Boolean).join("; ") || undefined}
      reason={why}
      note={why}
      better={statement && hasLacks(statement) ? undefined : "more"}
      before={statement?.previousPeriod?.[line]}
      change={value === null ? null : (statement?.changes?.[line].pct ?? null)}
      incomplete={isComplete ? undefined : compared}
      target={value === null ? undefined : (targets[line] ?? undefined)}
      size="hero"
      explain={explainer(statementQuery, `statement.${line}.amount`)}
      line={value === null ? undefined : { points, values: statement?.data?.map((step) => step[line]) ?? [] }}
    />
  );
}

type OneProps = Props & { readonly indicator: Indicator; readonly cards: Cards; readonly size: "hero" | "small" };

function One({ indicator, cards, size, ...props }: OneProps) {
  const { query, own, compared, trend, granularity, last, targets } = props;
  const { name, unit, better, reason, hasMargin = false } = indicator;
  const isOfNoShop = name === "conversionRate" && isFiltered.value;
  const why = unknownFor(cards, name) ?? (name === "investment" ? "no_ads" : isOfNoShop ? "events_of_all" : reason);
  const said = why && t().reason[why];
  const isComplete = compared?.isComplete !== false;
  const then = compared?.kind === "own" ? own : (cards.previousPeriod ?? undefined);
  const before = then && knownOf(then, name);
  const isUnspent = name === "investment" && !hasAds.value;
  const value = isUnspent ? null : knownOf(cards, name);
  // For dates of the user's own the service answers two requests, and compares nothing.
  const change = compared?.kind === "own" ? changeOf(value, before) : (cards.changes?.[name] ?? null);
  const ofName = name === "marginPercent" ? "margin" : name;
  const target = Object.hasOwn(targets, ofName) ? targets[ofName as keyof Targets] : null;
  const points: readonly Point[] = trend?.data.map(({ date }) => pointOf(date, granularity, last)) ?? [];
  return (
    <Figure
      name={name}
      label={t().metric[name] ?? name}
      unit={unit}
      value={value}
      basis={hasMargin && value !== null ? t().cockpit.averageMargin : undefined}
      reason={said}
      better={better}
      before={!isUnspent && (isComplete || size === "hero") ? before : undefined}
      change={before === null || value === null ? null : change}
      incomplete={isComplete ? undefined : compared}
      note={value === null ? said : noteOn(name, cards)}
      target={target ?? undefined}
      size={size}
      explain={why === "no_margin" ? undefined : explainer(query, name)}
      line={
        size === "hero" && value !== null
          ? { points, values: trend?.data.map((point) => knownOf(point, name)) ?? [] }
          : undefined
      }
    />
  );
}

/** A line in place of a comparison that would compare unlike things, or that explains a value that surprises. */
function noteOn(name: string, cards: Cards): string | undefined {
  const words = t().cockpit;
  const isFirst = cards.recurringCustomers === 0 && cards.recurringOrders > 0;
  if (isFirst && name === "recurringCustomers") return words.noOneBefore;
  if (isFirst && name === "recurringOrders") return words.fromNewOnes;
  if (isComparable(name)) return undefined;
  // The others have one note for all, below the figures.
  return name === "ltvCacRatio" ? words.ltvRatioNote : "";
}
