import type { Source } from "../../answers.ts";
import { Banner } from "../../components/Banner.tsx";
import { Card } from "../../components/Card.tsx";
import { Bar, Input, Select } from "../../components/Controls.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { type Column, type Sorting, Table } from "../../components/Table.tsx";
import { ToSettings } from "../../components/ToSettings.tsx";
import { arg, hashOf, oneOf, replace, route, set } from "../../route.ts";
import { t } from "../../text.ts";
import { noChange } from "./asked.ts";
import { type Props, totalRow } from "./Channels.tsx";
import { columnsOf } from "./columns.tsx";
import { amount, channelName, count } from "./names.ts";
import { type Compared, compared, isUnmatched, keyOf, totalOf } from "./sources.ts";

export const STRATEGIES = ["", "acquisition", "brand", "monetization", "unclassified", "unmatched"] as const;
type Strategy = (typeof STRATEGIES)[number];

const PAGE = 25;

export function Campaigns({ asked, answer, before }: Props) {
  const query = asked.now("campaigns");
  const words = t().acquisition;
  return (
    <Card
      name="campaigns"
      title={words.campaigns}
      question={words.campaignsQuestion}
      query={query}
      answer={answer}
      note={noChange(asked)}
    >
      {({ data }) => (
        <>
          <Notes sources={data} />
          {data.length > 0 && <Filters />}
          <List sources={data} before={before} endpoint={query.path} hasChanges={asked.compared?.isComplete ?? false} />
        </>
      )}
    </Card>
  );
}

const strategyOf = (source: Source): Exclude<Strategy, ""> =>
  isUnmatched(source) ? "unmatched" : (source.strategy ?? "unclassified");

/** What is outside of the acquisition figures, and what to do about it. */
function Notes({ sources }: { sources: readonly Source[] }) {
  const words = t().acquisition;
  const of = (name: Strategy): Source[] => sources.filter((source) => strategyOf(source) === name);
  const [unclassified, unmatched] = [
    of("unclassified").filter(({ investment }) => (investment ?? 0) > 0),
    of("unmatched"),
  ];
  const campaigns = (some: readonly Source[]): string => words.campaignsOf(some.length, count(some.length));
  const orders = totalOf(unmatched).orders;
  const link = (name: Strategy): string =>
    hashOf("acquisition", { ...route.value.args, strategy: name, search: "", page: "" });
  return (
    <>
      {unclassified.length > 0 && (
        <Banner tone="warn" action={{ text: words.see, href: link("unclassified") }}>
          {words.unclassifiedNote(campaigns(unclassified), amount(totalOf(unclassified).investment ?? 0))}{" "}
          <ToSettings place="campaigns" />
        </Banner>
      )}
      {unmatched.length > 0 && (
        <Banner tone="info" action={{ text: words.see, href: link("unmatched") }}>
          {words.unmatchedNote(campaigns(unmatched), words.ordersOf(orders, count(orders)))}
        </Banner>
      )}
    </>
  );
}

function Filters() {
  const words = t().acquisition;
  const names: Readonly<Record<Strategy, string>> = {
    "": words.everything,
    ...words.strategies,
    unclassified: words.unclassified,
    unmatched: words.unmatched,
  };
  return (
    <Bar label={words.campaigns}>
      <Input
        label={words.search}
        type="search"
        value={arg("search")}
        change={(search) => replace({ search, page: "" })}
      />
      <Select
        label={words.strategy}
        options={STRATEGIES.map((name) => [name, names[name]] as const)}
        value={oneOf("strategy", STRATEGIES)}
        change={(strategy) => set({ strategy, page: "" })}
      />
    </Bar>
  );
}

interface ListProps {
  readonly sources: readonly Source[];
  readonly before: readonly Source[] | undefined;
  readonly endpoint: string;
  readonly hasChanges: boolean;
}

function List({ sources, before, endpoint, hasChanges }: ListProps) {
  const words = t().acquisition;
  const [strategy, search] = [oneOf("strategy", STRATEGIES), arg("search").trim().toLocaleLowerCase()];
  const wanted = sources.filter(
    (source) =>
      (strategy === "" || strategyOf(source) === strategy) &&
      (source.campaignName ?? "").toLocaleLowerCase().includes(search),
  );
  const earlier = before?.filter((source) => wanted.some((it) => keyOf(it) === keyOf(source)));
  const columns: Column<Compared>[] = [
    {
      key: "campaign",
      label: words.campaign,
      value: ({ now }) => now.campaignName,
      show: ({ now }) => now.campaignName,
    },
    ...columnsOf(endpoint, hasChanges),
    {
      key: "strategy",
      label: words.strategy,
      value: ({ now }) => nameOfStrategy(now),
      show: ({ now }) => (
        <>
          {nameOfStrategy(now)}
          {now.connector && <small class="cell-note">{channelName(now.connector)}</small>}
        </>
      ),
    },
  ];
  const sorting: Sorting = { by: arg("sort") || "investment", descending: arg("order") !== "asc" };
  const sorted = sortedBy(compared(wanted, before), columns, sorting);
  const pages = Math.max(1, Math.ceil(sorted.length / PAGE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(arg("page"))) || 1));
  const start = (page - 1) * PAGE;
  const turn = (to: number) => (): void => set({ page: to === 1 ? "" : String(to) });
  if (sorted.length === 0) return <EmptySmall>{sources.length === 0 ? t().empty.points : words.noneFound}</EmptySmall>;
  return (
    <Table
      caption={words.campaigns}
      rows={sorted.slice(start, start + PAGE)}
      all={sorted}
      keyOf={({ now }) => keyOf(now)}
      sorting={{
        now: sorting,
        change: ({ by, descending }) => set({ sort: by, order: descending ? "" : "asc", page: "" }),
      }}
      remember="campaigns"
      total={{ name: t().table.total, row: totalRow(wanted, earlier) }}
      onPick={({ now }) => set({ campaign: keyOf(now) })}
      pages={{
        from: start + 1,
        to: Math.min(sorted.length, start + PAGE),
        of: sorted.length,
        previous: page > 1 ? turn(page - 1) : undefined,
        next: page < pages ? turn(page + 1) : undefined,
      }}
      columns={columns}
    />
  );
}

/** The row of totals has no name. */
function nameOfStrategy(source: Source): string | undefined {
  if (source.campaignName === undefined) return undefined;
  const words = t().acquisition;
  const name = strategyOf(source);
  if (name === "unmatched") return words.unmatched;
  return name === "unclassified" ? words.unclassified : words.strategies[name];
}

/** Sorts all rows, not only those of a page. Rows without a value come last in both directions. */
function sortedBy(rows: readonly Compared[], columns: readonly Column<Compared>[], by: Sorting): readonly Compared[] {
  const column = columns.find(({ key }) => key === by.by) ?? columns[0];
  return rows.toSorted((a, b) => {
    const [x, y] = [column?.value(a) ?? null, column?.value(b) ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
    return by.descending ? -order : order;
  });
}
