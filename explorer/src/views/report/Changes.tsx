import type { Bridge, Statement } from "../../answers.ts";
import { t } from "../../text.ts";
import { changedTotalOf, changeOf, partsOf, sentenceOf } from "../overview/Changes.tsx";
import { type BarOf, Bars } from "./Bars.tsx";
import { report } from "./reportText.ts";

interface Props {
  readonly statement: Statement;
  readonly bridge: Bridge | undefined;
}

/** What changed since the period before: the statement's lines, and what customers and products did. */
export function Changes({ statement, bridge }: Props) {
  const total = changedTotalOf(statement);
  const parts = partsOf(statement);
  const change = changeOf(statement);
  const { cockpit, metric } = t();
  const texts = report().changes;
  const lines = parts.map(({ line, value }): BarOf => ({ key: line, label: metric[line] ?? line, value }));
  return (
    <section class="report-part" data-part="changes">
      <h3>{texts.title}</h3>
      <p>{sentenceOf(total, change, parts)}</p>
      <div class="report-columns">
        <Bars
          name="lines"
          title={texts.line}
          rows={bySize(lines)}
          total={{ label: metric[total] ?? total, value: change }}
        />
        <div>
          {bridge && (
            <Effects name="customers" title={texts.customers} names={cockpit.customers.effects} {...bridge.revenue} />
          )}
          {bridge && (
            <Effects
              name="products"
              title={texts.products}
              names={cockpit.productMargin.effects}
              {...bridge.productMargin}
            />
          )}
        </div>
      </div>
    </section>
  );
}

const bySize = (rows: readonly BarOf[]): readonly BarOf[] =>
  rows.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));

interface EffectsProps {
  readonly name: string;
  readonly title: string;
  readonly names: Readonly<Record<string, string>>;
  readonly effects: Readonly<Record<string, number>>;
  readonly before: number;
  readonly after: number;
  readonly change: number;
}

function Effects({ name, title, names, effects, before, after, change }: EffectsProps) {
  if (before === 0 && after === 0) return null;
  const rows = Object.entries(effects).flatMap(([key, value]): BarOf[] =>
    value === 0 ? [] : [{ key, label: names[key] ?? key, value }],
  );
  return (
    <Bars name={name} title={title} rows={bySize(rows)} total={{ label: report().changes.total, value: change }} />
  );
}
