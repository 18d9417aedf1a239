import type { CohortBreak } from "../../src/core/contract/attributes.ts";
import { type Carried, folded } from "./carried.ts";
import type { Span } from "./days.ts";
import {
  byText,
  type Counted,
  type Customer,
  type Facts,
  firstOf,
  grouped,
  nameOf,
  type SoldBrand,
  type SpendDay,
  wholeOf,
} from "./facts.ts";
import { isRecurring, isSpendKnown, periodOf } from "./figures.ts";
import { isKnown, namesAlone } from "./filters.ts";
import { LABELS, PAYMENT_LABELS } from "./text.ts";

/** The rows of cohorts and of payback curves, only from the sentences of the rules [D30], [D52], [D86], [D87]. */

/** An attribute of the first purchase, or two with a comma between them. */
export type Breaks = CohortBreak | `${CohortBreak},${CohortBreak}`;

const halvesOf = (breakBy: Breaks | null): CohortBreak[] => (breakBy?.split(",") ?? []) as CohortBreak[];

/** A value of an attribute. One id in two stores, or two ad networks, is two; values shared by all are of no source. */
interface Value {
  readonly source: string;
  readonly key: string | null;
  readonly label: string | null;
}

export interface Row {
  /** The calendar step. */
  readonly step: number;
  readonly values: readonly Value[];
  readonly customers: readonly Customer[];
  /** Null if spend has no meaning, or is unknown [D86]. */
  readonly spend: readonly SpendDay[] | null;
}

/** The key and the label of a row, as answers have them. */
export const namedBy = ({ values }: Row): Record<string, unknown> => {
  const [keys, labels] = [values.map(({ key }) => key), values.map(({ label }) => label)];
  if (values.length === 0) return {};
  return values.length === 1 ? { breakKey: keys[0], breakLabel: labels[0] } : { breakKey: keys, breakLabel: labels };
};

/** A row per step and value, in the order of the answer. */
export function rowsOf(facts: Facts, span: Span, breakBy: Breaks | null, stepOf: (day: string) => number): Row[] {
  const { entered, spend } = periodOf(facts, span);
  const halves = halvesOf(breakBy);
  const names = namesOf(facts, halves);
  const rows: Row[] = [];
  for (const [step, customers] of grouped(entered, (customer) => stepOf(firstOf(customer).day))) {
    const ofStep = spend.filter(({ day }) => stepOf(day) === step);
    const entries = customers.flatMap((customer) =>
      valuesOf(customer, halves, names, facts).map((values) => ({ customer, values })),
    );
    for (const some of grouped(entries, ({ values }) => identity(values)).values()) {
      const { values } = some[0] as (typeof some)[number];
      rows.push({
        step,
        values,
        customers: some.map(({ customer }) => customer),
        spend: ownSpend(facts, ofStep, halves, values),
      });
    }
  }
  return rows.sort(
    (a, b) =>
      a.step - b.step ||
      Number(lacksOne(a)) - Number(lacksOne(b)) ||
      b.customers.length - a.customers.length ||
      firstOtherThan0(halves.map((_, no) => byKey(a.values[no]?.key ?? null, b.values[no]?.key ?? null))) ||
      firstOtherThan0(halves.map((_, no) => byText(a.values[no]?.source ?? "", b.values[no]?.source ?? ""))),
  );
}

const identity = (values: readonly Value[]): string => JSON.stringify(values.map(({ source, key }) => [source, key]));
const lacksOne = ({ values }: Row): boolean => values.some(({ key }) => key === null);
const firstOtherThan0 = (all: readonly number[]): number => all.find((one) => one !== 0) ?? 0;
const byKey = (a: string | null, b: string | null): number =>
  Number(a === null) - Number(b === null) || byText(a ?? "", b ?? "");

/** Spellings of cities and of brands, by their keys. */
type Names = Readonly<Record<"cidade" | "marca", ReadonlyMap<string, string>>>;

/** Those of the organization, whatever the filter. */
function namesOf(facts: Facts, halves: readonly CohortBreak[]): Names {
  const { orders } = wholeOf(facts);
  return {
    cidade: halves.includes("cidade") ? placeNames(orders) : new Map(),
    marca: halves.includes("marca") ? brandNames(orders) : new Map(),
  };
}

/**
 * The customer's entries: each pair of values that a line of the first purchase has; of attributes of the first order alone one.
 */
function valuesOf(customer: Customer, halves: readonly CohortBreak[], names: Names, facts: Facts): Value[][] {
  const first = firstOf(customer);
  const lines = customer.orders.filter((order) => !isRecurring(order)).flatMap(({ brands }) => brands);
  const isOfLines = halves.some((half) => LINES.includes(half));
  const needsProduct = halves.includes("produto") || halves.includes("categoria");
  const entries = isOfLines && (lines.length > 0 || needsProduct) ? lines : [null];
  const all = entries.map((line) => halves.map((half) => halfOf(half, first, line, names, facts)));
  return [...new Map(all.map((values) => [identity(values), values])).values()];
}

const LINES: readonly CohortBreak[] = ["produto", "categoria", "marca"];

function halfOf(half: CohortBreak, first: Counted, line: SoldBrand | null, names: Names, facts: Facts): Value {
  const { channel, campaign, coupon, carried, store } = first;
  const product = line?.product;
  switch (half) {
    case "origem":
      return one(channel, LABELS[channel]);
    case "campanha":
      return one(campaign?.key ?? null, campaign?.label ?? null, campaign?.connector ?? "");
    case "loja":
      return one(store, nameOf(facts, store));
    case "cupom":
      return one(coupon, coupon);
    case "pagamento":
      return one(carried.paymentGroup, carried.paymentGroup && (PAYMENT_LABELS[carried.paymentGroup] ?? null));
    case "estado":
      return one(carried.state, carried.state);
    case "cidade":
      return one(placeOf(carried), names.cidade.get(placeOf(carried) ?? "") ?? null);
    case "produto":
      return one(product?.id ?? null, product?.name ?? null, product?.store);
    case "categoria":
      return product?.category
        ? one(product.category.id, product.category.name, product.store)
        : one("uncategorized", null);
    case "marca": {
      const key = line?.brand?.toUpperCase() ?? null;
      return one(key, key && (names.marca.get(key) ?? null));
    }
  }
}

const one = (key: string | null, label: string | null, source = ""): Value => ({ key, label, source });

/** State and city, folded, in upper case; null without a city. */
export const placeOf = ({ state, city }: Carried): string | null =>
  city === null ? null : `${state ?? ""}/${folded(city)?.toUpperCase()}`;

/** City and state as most counted orders spell them, of equals the first as text. */
export function placeNames(orders: readonly Counted[]): Map<string, string> {
  const spelled = orders.flatMap(({ carried }) => {
    const place = placeOf(carried);
    return place === null ? [] : [[place, [carried.city, carried.state].filter((part) => part !== null).join("/")]];
  });
  return mostFrequent(spelled as [string, string][]);
}

/** The spelling that most lines of counted orders have, of equals the first as text. */
const brandNames = (orders: readonly Counted[]): Map<string, string> =>
  mostFrequent(
    orders.flatMap(({ spellings }) =>
      spellings.map((spelling): [string, string] => [spelling.toUpperCase(), spelling]),
    ),
  );

function mostFrequent(spelled: readonly (readonly [key: string, name: string])[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [key, some] of grouped(spelled, ([of]) => of)) {
    const [[name] = [""]] = [...grouped(some, ([, as]) => as)].toSorted(
      ([a, of], [b, other]) => other.length - of.length || byText(a, b),
    );
    names.set(key, name);
  }
  return names;
}

const WITH_SPEND: readonly CohortBreak[] = ["origem", "campanha", "loja"];
const SPENDING: readonly (string | null)[] = ["searchads", "socialads"];

/** The spend that meets all values: null where an attribute has none, or that of the store is unknown [D86]. */
function ownSpend(
  facts: Facts,
  spend: readonly SpendDay[],
  halves: readonly CohortBreak[],
  values: readonly Value[],
): readonly SpendDay[] | null {
  const { integrations } = facts.settings;
  const each = halves.map((half, no) => ({ half, ...(values[no] as Value) }));
  if (!each.every(({ half }) => WITH_SPEND.includes(half))) return null;
  // A channel without a connector, and a campaign that never landed, have no spend in any store.
  const hasNone = each.some(
    ({ half, key, source }) => (half === "origem" && !SPENDING.includes(key)) || (half === "campanha" && source === ""),
  );
  if (hasNone) return [];
  const channel = facts.filter?.channel ?? null;
  const isStoreKnown = each.every(
    ({ half, key }) => half !== "loja" || isKnown(facts.settings, { integrationId: key, channel }),
  );
  if (!isSpendKnown(facts) || !isStoreKnown) return null;
  return spend.filter(({ campaign, account }) =>
    each.every(({ half, key, source }) => {
      if (half === "origem") return campaign.connector === key;
      if (half === "campanha") return campaign.id === key && campaign.connector === source;
      return integrations.some((ad) => ad.id === account && namesAlone(facts.settings, ad, key as string));
    }),
  );
}
