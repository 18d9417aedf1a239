import { ORDER_ATTRIBUTE_NAMES } from "../../src/core/contract/attributes.ts";

/** Figures that add up: of the whole they are the sum of those of all stores, and of all channels [D86]. */
export interface Additive {
  readonly path: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly parts: readonly Part[];
}

/** Rows of an answer, or the answer itself, with its figures that add up. */
interface Part {
  /** The list; the answer itself if it is absent. */
  readonly rows?: string;
  /** The members that name a row. */
  readonly key?: readonly string[];
  /** Numbers of things. */
  readonly counts?: string;
  /** Amounts, each rounded to the cent. */
  readonly amounts?: string;
  /** Amounts that are null where a unit's cost is unknown: in the whole if they are in a part. */
  readonly costs?: string;
  /** Amounts and numbers made of spend, which is unknown of stores that share an ad account. */
  readonly spend?: string;
  /** Objects and lists whose elements have the figures, each by its place. */
  readonly each?: { readonly of: string; readonly figures: string };
  /** What rounding leaves over of each amount is in one of the rows, which may be another one in the parts. */
  readonly isSettled?: true;
}

const CARDS: Part = {
  counts: "orders newCustomers recurringOrders acquisitionNewCustomers brandNewCustomers",
  amounts:
    "revenue contribution cogs revenueWithCmv revenueWithoutCmv blendedContribution acquisitionContribution brandContribution monetizationContribution",
  spend:
    "investment contributionProfit acquisitionInvestment brandInvestment monetizationInvestment unclassifiedInvestment",
};
const LINES: Part = {
  amounts: "revenue giftCards refunds salesTax netRevenue payment shipping fulfilment commission other",
  costs: "goods contribution1 contribution2",
  spend: "media",
};
const BROKEN: Part = {
  counts: "orders newCustomers recurringOrders",
  amounts: "revenue",
  costs: "contribution2",
};

const within = ({ counts = "", amounts = "", costs = "", spend = "" }: Part, prefix: string, suffix = ""): Part => {
  const named = (names: string): string =>
    names
      .split(" ")
      .filter((name) => name !== "")
      .map((name) => prefix + name + suffix)
      .join(" ");
  return { counts: named(counts), amounts: named(amounts), costs: named(costs), spend: named(spend) };
};

/** Every analysis with figures that add up, over the whole history or in the period. */
export function additiveFigures(period: { readonly start: string; readonly end: string }): Additive[] {
  const dates = { startDate: period.start, endDate: period.end };
  const cohorts = (sent: Readonly<Record<string, string>>, key: readonly string[]): Additive => ({
    path: "/v1/profitability/cohort",
    sent,
    parts: [
      {
        rows: "data",
        key,
        counts: "firstPurchaseCustomers repurchaseCustomers",
        amounts: "directRevenue totalRevenue additionalRevenue directMargin totalMargin additionalMargin initialValue",
        each: { of: "months", figures: "absolute complementary repurchaseRevenue" },
      },
    ],
  });
  const attributed = { counts: "orders newCustomers", amounts: "revenue newCustomersRevenue", spend: "investment" };
  const contributed = {
    counts: "orders",
    amounts: "revenue netRevenue variableCosts",
    costs: "costOfGoods contributionAfterCosts",
    spend: "investment contributionProfit",
  };
  return [
    { path: "/v1/profitability/cards", sent: {}, parts: [CARDS] },
    { path: "/v1/profitability/cards", sent: dates, parts: [CARDS, within(CARDS, "previousPeriod.")] },
    {
      path: "/v1/profitability/new-vs-recurring",
      sent: dates,
      parts: [{ rows: "data", key: ["date"], counts: "newCustomers" }],
    },
    {
      path: "/v1/profitability/trend",
      sent: { granularity: "week" },
      parts: [
        {
          rows: "data",
          key: ["date"],
          counts: "orders newCustomers",
          amounts: "revenue contribution",
          spend: "investment contributionProfit",
        },
      ],
    },
    {
      path: "/v1/profitability/metrics-evolution",
      sent: {},
      parts: [
        {
          rows: "data",
          key: ["month"],
          counts: "totalOrders newCustomers",
          amounts: "totalRevenue cogs revenueWithCmv revenueWithoutCmv blendedContribution",
          spend: "totalInvestment",
        },
      ],
    },
    {
      path: "/v1/profitability/cmv-evolution",
      sent: dates,
      parts: [
        {
          rows: "data",
          key: ["date"],
          counts: "orders",
          amounts: "revenue cogs revenueWithCmv revenueWithoutCmv blendedContribution",
        },
      ],
    },
    cohorts({ view: "revenue", groupBy: "month" }, ["cohortMonth"]),
    cohorts({ view: "logo", groupBy: "week", ...dates }, ["cohortMonth"]),
    cohorts({ view: "revenue", groupBy: "quarter", breakBy: "campanha" }, ["cohortMonth", "breakKey", "breakLabel"]),
    cohorts({ view: "logo", groupBy: "year", breakBy: "pagamento" }, ["cohortMonth", "breakKey"]),
    {
      path: "/v1/profitability/payback",
      sent: {},
      parts: [
        {
          rows: "data",
          key: ["cohortMonth"],
          counts: "customers",
          each: { of: "points", figures: "contribution" },
        },
        { rows: "average", key: ["month"], counts: "customers" },
      ],
    },
    {
      path: "/v1/profitability/bridge",
      sent: { ...dates, breakBy: "produto" },
      parts: [
        {
          amounts:
            "revenue.before revenue.after revenue.change productMargin.before productMargin.after productMargin.change",
          spend: "contributionProfit.before contributionProfit.after contributionProfit.change",
        },
        { rows: "drivers", key: ["key", "label"], isSettled: true, amounts: "before after change" },
      ],
    },
    {
      path: "/v1/profitability/breakdown",
      sent: { by: "payment_group,weekday", ...dates, limit: "5000" },
      parts: [
        { rows: "data", key: ["key"], isSettled: true, ...BROKEN },
        { rows: "data", key: ["key"], isSettled: true, ...within(BROKEN, "previous.") },
        within(BROKEN, "total."),
        within(BROKEN, "total.previous."),
      ],
    },
    {
      path: "/v1/profit/statement",
      sent: { ...dates, granularity: "month", refundsOn: "order" },
      parts: [within(LINES, "statement.", ".amount"), { rows: "data", key: ["date"], isSettled: true, ...LINES }],
    },
    {
      path: "/v1/profit/statement",
      sent: {},
      parts: [within(LINES, "statement.", ".amount")],
    },
    {
      path: "/v1/acquisition/summary",
      sent: ENDED,
      parts: [
        {
          counts: "newCustomers.value acquisitionNewCustomers.value",
          spend: "investment.value acquisitionInvestment.value",
        },
      ],
    },
    {
      path: "/v1/acquisition/channels",
      sent: ENDED,
      parts: [{ rows: "data", key: ["channel"], ...attributed }],
    },
    {
      path: "/v1/acquisition/campaigns",
      sent: ENDED,
      parts: [{ rows: "data", key: ["connector", "campaignId", "campaignName"], ...attributed }],
    },
    {
      path: "/v1/acquisition/new-customers",
      sent: ENDED,
      parts: [
        {
          rows: "data",
          key: ["date"],
          counts: "newCustomers channels.searchads channels.direct channels.other channels.organic_social",
        },
      ],
    },
    {
      path: "/v1/acquisition/contribution",
      sent: { breakBy: "campanha" },
      parts: [
        { rows: "data", key: ["breakKey", "breakLabel", "connector"], ...contributed },
        within(contributed, "total."),
      ],
    },
    {
      path: "/v1/acquisition/products",
      sent: { limit: "5000" },
      parts: [
        {
          rows: "data",
          key: ["integrationId", "productId"],
          counts: "orders grossUnits netUnits",
        },
        { counts: "total.orders total.grossUnits total.netUnits", amounts: "total.revenue total.grossSales" },
      ],
    },
    {
      path: "/v1/profit/orders",
      sent: { limit: "5000" },
      parts: [
        { rows: "data", key: ["orderId", "integrationId"], amounts: "revenue netRevenue", costs: "contribution2" },
      ],
    },
    {
      path: "/v1/profitability/orders",
      sent: { limit: "5000", ...dates },
      parts: [{ rows: "data", key: ["orderId", "integrationId"], amounts: "revenue", counts: "customerOrderNo" }],
    },
  ];
}

/** A period that has ended, of all days around which the random organizations have events. */
const ENDED = { startDate: "2024-04-02", endDate: "2025-04-01" };

/** Every attribute by which a period is broken down. */
export const BREAKDOWNS = ORDER_ATTRIBUTE_NAMES;

export type Kind = "counts" | "amounts" | "costs" | "spend";
type Answer = Readonly<Record<string, unknown>>;

/** A figure by its name, which says its row. */
export type Figures = ReadonlyMap<string, Figure>;

interface Figure {
  readonly kind: Kind;
  readonly value: number | null;
  /** Of how many rows it may have what rounding left over. */
  readonly rows: number;
}

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((one, name) => (one as Answer | null | undefined)?.[name], value);

/** The figures of an answer that add up. */
export function figuresOf(answer: Answer, parts: readonly Part[]): Figures {
  const figures = new Map<string, Figure>();
  // One campaign id of two connectors is two rows of one name.
  const add = (name: string, kind: Kind, value: number | null, rows: number): void => {
    const other = figures.get(name);
    const sum = value === null || other?.value === null ? null : value + (other?.value ?? 0);
    figures.set(name, { kind, value: sum, rows: rows + (other?.rows ?? 0) });
  };
  for (const { rows, key = [], each, isSettled, ...kinds } of parts) {
    const list = rows === undefined ? [answer] : ((at(answer, rows) ?? []) as Answer[]);
    for (const row of list) {
      const name = `${rows ?? ""} ${key.map((member) => JSON.stringify(row[member])).join(" ")}`;
      for (const kind of ["counts", "amounts", "costs", "spend"] as const) {
        for (const figure of (kinds[kind] ?? "").split(" ").filter((one) => one !== "")) {
          const value = at(row, figure);
          if (value === undefined) continue;
          add(`${name} ${figure}`, kind, value as number | null, isSettled ? list.length : 1);
        }
      }
      for (const [place, element] of Object.entries((each && (row[each.of] as Answer)) ?? {})) {
        for (const figure of each?.figures.split(" ") ?? []) {
          const value = (element as Answer)[figure] as number | null;
          add(`${name} ${each?.of}.${place}.${figure}`, "amounts", value, 1);
        }
      }
    }
  }
  return figures;
}

/** What differs between the whole and its parts. `isSpendKnown`: whether the parts have all spend between them. */
export function faultsOf(whole: Figures, parts: readonly Figures[], isSpendKnown: boolean): string[] {
  const names = new Set([whole, ...parts].flatMap((figures) => [...figures.keys()]));
  return [...names].flatMap((name) => {
    const own = whole.get(name);
    const some = parts.flatMap((figures) => figures.get(name) ?? []);
    const kind = own?.kind ?? some[0]?.kind;
    if (kind === "spend" && !isSpendKnown) return [];
    const values = some.map(({ value }) => value);
    const isUnknown = own?.value === null;
    // A customer's order has one number, and a row may have no value at all: null in the whole as in its parts.
    if (isUnknown || values.includes(null)) {
      const agrees =
        kind === "costs" ? isUnknown && values.includes(null) : isUnknown && values.every((one) => one === null);
      return agrees ? [] : [`${name}: ${own?.value}, of parts ${values.join(", ")}`];
    }
    const sum = values.reduce<number>((total, value) => total + Number(value), 0);
    const difference = Math.abs(sum - Number(own?.value ?? 0));
    const rows = [own, ...some].reduce((total, one) => total + (one?.rows ?? 0), 0);
    const most = kind === "counts" ? 0 : 0.005 * rows;
    return difference > most + 1e-6 ? [`${name}: ${own?.value}, of parts ${values.join(" + ")} = ${sum}`] : [];
  });
}
