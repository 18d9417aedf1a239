import type { Answer } from "../../answer.ts";
import type { Bridge } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { BarList } from "../../charts/BarList.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { Table } from "../../components/Table.tsx";
import { figure, signed } from "../../format.ts";
import type { Compared } from "../../period.ts";
import { hashOf, set } from "../../route.ts";
import { t } from "../../text.ts";

export const BREAKS = ["categoria", "produto", "campanha"] as const;
type Break = (typeof BREAKS)[number] | "origem";

interface Props {
  readonly by: Break;
  readonly query: Query;
  readonly answer: Answer<Bridge>;
  readonly compared: Compared | undefined;
  readonly store?: string | undefined;
}

type Driver = NonNullable<Bridge["drivers"]>[number];

/** Bars of a card; the table has all. */
const MOST = 7;

/** What sold most, and what changed most. */
export function Sources({ by, query, answer, compared, store }: Props) {
  const words = t().cockpit;
  const isCompared = compared?.isComplete === true;
  const title = by === "origem" ? words.channels : words.breaks[by];
  const choice = by === "origem" ? undefined : by;
  return (
    <Card
      name={by === "origem" ? "channels" : "sources"}
      title={title}
      question={choice ? "" : isCompared ? words.driverNote : words.driverNoteAlone}
      query={query}
      answer={answer}
      span={6}
      controls={
        choice && (
          <Segmented
            label={words.by}
            options={BREAKS.map((name) => [name, words.breaks[name]] as const)}
            value={choice}
            change={(next) => set({ break: next })}
          />
        )
      }
      table={({ drivers }) => <Drivers title={title} by={by} rows={soldOf(drivers)} isCompared={isCompared} />}
    >
      {({ drivers }) => {
        const rows = soldOf(drivers);
        if (rows.length === 0) return <EmptySmall>{t().chart.empty}</EmptySmall>;
        const named = rows.filter(({ key, label }) => key !== null || label !== null);
        const up = most(named, 1);
        const down = most(named, -1);
        return (
          <>
            <BarList
              label={title}
              unit="currency"
              rows={rows.slice(0, MOST).map((row, n) => ({
                key: row.key ?? `${row.label ?? ""} ${n}`,
                label: linkOf(by, row, store),
                value: row.after,
                note: isCompared ? <Difference change={row.change} /> : undefined,
              }))}
            />
            <p class="sources-foot">
              {isCompared && (
                <span>
                  {up && words.mostUp(nameOf(by, up), signed(up.change, "currency"))}{" "}
                  {down && words.mostDown(nameOf(by, down), signed(down.change, "currency"))}{" "}
                </span>
              )}
              {rows.length > MOST && <span>{words.inTable(figure(rows.length - MOST, "count"))} </span>}
              <a href={hashOf(pageOf(by))}>{pageOf(by) === "products" ? words.openProducts : words.openAcquisition}</a>
            </p>
          </>
        );
      }}
    </Card>
  );
}

const pageOf = (by: Break): "acquisition" | "products" =>
  by === "origem" || by === "campanha" ? "acquisition" : "products";

/** By what they sold; without sales in either period they are no source. */
const soldOf = (drivers: Bridge["drivers"]): readonly Driver[] =>
  (drivers ?? [])
    .filter(({ before, after }) => before !== 0 || after !== 0)
    .toSorted((a, b) => b.after - a.after || b.before - a.before);

/** The one with the largest change in a direction. */
const most = (rows: readonly Driver[], sign: 1 | -1): Driver | undefined =>
  rows.filter(({ change }) => change * sign > 0).toSorted((a, b) => (b.change - a.change) * sign)[0];

function nameOf(by: Break, { key, label }: Driver): string {
  const words = t().cockpit;
  if (by === "origem") return t().channels[key ?? ""] ?? label ?? words.unnamed;
  if (label !== null) return label;
  if (key === "uncategorized") return words.uncategorized;
  if (key !== null) return key;
  return by === "campanha" ? words.noCampaign : words.restOf;
}

function linkOf(by: Break, row: Driver, store: string | undefined) {
  const name = nameOf(by, row);
  const address = addressOf(by, row, store);
  return address === undefined ? name : <a href={address}>{name}</a>;
}

/** Where more about a source is. A bridge names no network with a campaign's id, so campaigns are searched by name. */
function addressOf(by: Break, { key, label }: Driver, store: string | undefined): string | undefined {
  if (key === null) return undefined;
  if (by === "origem") return hashOf("acquisition", { channel: key });
  if (by === "campanha") return hashOf("acquisition", { search: label ?? key });
  if (store === undefined) return undefined;
  return hashOf("products", by === "produto" ? { store, product: key } : { store, category: key });
}

function Difference({ change }: { change: number }) {
  const tone = change > 0 ? "good" : change < 0 ? "bad" : "";
  return (
    <span class={`change ${tone}`} title={figure(change, "currency")}>
      {signed(change, "currency")}
    </span>
  );
}

interface DriversProps {
  readonly title: string;
  readonly by: Break;
  readonly rows: readonly Driver[];
  readonly isCompared: boolean;
}

function Drivers({ title, by, rows, isCompared }: DriversProps) {
  const words = t().cockpit;
  return (
    <Table
      caption={title}
      rows={rows}
      keyOf={({ key, label }) => `${key} ${label}`}
      initially={{ by: "after", descending: true }}
      columns={[
        { key: "name", label: words.name, value: (row) => nameOf(by, row) },
        { key: "after", label: t().metric.revenue ?? "", unit: "currency", bar: true, value: ({ after }) => after },
        ...(isCompared
          ? ([
              { key: "before", label: words.was, unit: "currency", value: ({ before }: Driver) => before },
              {
                key: "change",
                label: words.change,
                unit: "currency",
                value: ({ change }: Driver) => change,
                tone: ({ change }: Driver) => (change > 0 ? "good" : change < 0 ? "bad" : undefined),
              },
            ] as const)
          : []),
      ]}
    />
  );
}
