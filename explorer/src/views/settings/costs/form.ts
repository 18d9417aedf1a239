import { daysBefore } from "../../../days.ts";
import { numberIn, typedNumber } from "../exact.ts";
import {
  type AmountKind,
  addingUp,
  type Cost,
  type CostItem,
  endedOn,
  KINDS,
  meet,
  replaced,
  type Where,
} from "./rules.ts";

/** What somebody has typed into the form of a cost. */
export interface Form {
  readonly item: CostItem;
  readonly name: string;
  /** By kind, as typed. */
  readonly amounts: Readonly<Partial<Record<AmountKind, string>>>;
  readonly isCharged: boolean;
  readonly isNone: boolean;
  readonly hasFrom: boolean;
  readonly from: string;
  readonly hasUntil: boolean;
  readonly until: string;
  readonly where: Where;
  /** Of a cost that is changed: for the past too, or from `changeFrom` on. */
  readonly change: "always" | "from" | undefined;
  readonly changeFrom: string;
  /** What to do with a cost that would add up with this one. */
  readonly sum: "both" | "instead" | undefined;
}

export const emptyForm = (item: CostItem): Form => ({
  item,
  name: "",
  amounts: {},
  isCharged: false,
  isNone: false,
  hasFrom: false,
  from: "",
  hasUntil: false,
  until: "",
  where: {},
  change: undefined,
  changeFrom: "",
  sum: undefined,
});

/** The form of a cost that is there. */
export function formOf(cost: Cost): Form {
  const { item, name = "", from, until, where = {}, amounts } = cost;
  const numbers = Object.entries(amounts).filter(([, value]) => typeof value === "number");
  return {
    ...emptyForm(item),
    name,
    where,
    amounts: Object.fromEntries(numbers.map(([kind, value]) => [kind, typedNumber(value as number)])),
    isCharged: amounts.charged === true,
    isNone: amounts.none === true,
    hasFrom: from !== undefined,
    from: from ?? "",
    hasUntil: until !== undefined,
    until: until ?? "",
  };
}

export type Fault = "number" | "percent" | "negative" | "decimals" | "amount" | "day" | "backwards" | "choose";
export type Faults = Readonly<
  Partial<Record<AmountKind | "amounts" | "from" | "until" | "changeFrom" | "change" | "sum", Fault>>
>;

const isPercent = (kind: AmountKind): boolean => kind === "percentOfRevenue" || kind === "percentOfItems";

function faultOfAmount(kind: AmountKind, text: string): Fault | undefined {
  if (text.trim().startsWith("-") || text.trim().startsWith("−")) return "negative";
  const value = numberIn(text);
  if (value === undefined) return "number";
  if (isPercent(kind) && value > 100) return "percent";
  return Number(value.toFixed(6)) === value ? undefined : "decimals";
}

const typedKinds = ({ item, amounts }: Form): readonly AmountKind[] =>
  KINDS[item].filter((kind) => (amounts[kind] ?? "").trim() !== "");

/** The cost that the form describes, as far as it is right. */
export function costIn(form: Form): Cost {
  const { item, name, isNone, isCharged, hasFrom, from, hasUntil, until, where } = form;
  const said = Object.fromEntries(
    typedKinds(form).flatMap((kind) => {
      const value = numberIn(form.amounts[kind] ?? "");
      return value === undefined ? [] : [[kind, value]];
    }),
  );
  const amounts = isNone ? { none: true as const } : { ...said, ...(isCharged ? { charged: true as const } : {}) };
  const limits = Object.fromEntries(Object.entries(where).filter(([, value]) => value.trim() !== ""));
  return {
    item,
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(hasFrom && from ? { from } : {}),
    ...(hasUntil && until ? { until } : {}),
    ...(item !== "fixed" && Object.keys(limits).length > 0 ? { where: limits } : {}),
    amounts,
  };
}

interface Beside {
  /** The costs that there are, without the one that is changed. */
  readonly others: readonly Cost[];
  /** The cost that is changed; undefined for a new one. */
  readonly old: Cost | undefined;
}

/** Whether amounts or the orders differ, so that it matters from when on. */
export const asksSince = (form: Form, old: Cost | undefined): boolean => {
  if (old === undefined) return false;
  const next = costIn(form);
  return JSON.stringify([next.amounts, next.where ?? {}]) !== JSON.stringify([old.amounts, old.where ?? {}]);
};

/** The costs that the new one would add up with. */
export const sumsOf = (form: Form, { others, old }: Beside): readonly Cost[] => {
  const cost = form.change === "from" && form.changeFrom ? { ...costIn(form), from: form.changeFrom } : costIn(form);
  const known = old === undefined ? [] : addingUp(old, others);
  // What added up before is meant to.
  return addingUp(cost, others).filter((other) => !known.includes(other));
};

export function faultsOf(form: Form, beside: Beside): Faults {
  const { isNone, isCharged, hasFrom, from, hasUntil, until, change, changeFrom, sum } = form;
  const faults: Partial<Record<keyof Faults, Fault>> = {};
  if (!isNone)
    for (const kind of typedKinds(form)) {
      const fault = faultOfAmount(kind, form.amounts[kind] ?? "");
      if (fault) faults[kind] = fault;
    }
  if (!isNone && !isCharged && typedKinds(form).length === 0) faults.amounts = "amount";
  if (hasFrom && !from) faults.from = "day";
  if (hasUntil && !until) faults.until = "day";
  if (hasFrom && hasUntil && from && until && from > until) faults.until = "backwards";
  if (asksSince(form, beside.old)) {
    if (change === undefined) faults.change = "choose";
    if (change === "from" && !changeFrom) faults.changeFrom = "day";
    if (change === "from" && changeFrom && hasUntil && until && changeFrom > until) faults.changeFrom = "backwards";
  }
  if (sum === undefined && sumsOf(form, beside).length > 0) faults.sum = "choose";
  return faults;
}

/** The costs as the form leaves them. */
export function costsWith(form: Form, costs: readonly Cost[], old: Cost | undefined): readonly Cost[] {
  const cost = costIn(form);
  const others = costs.filter((one) => one !== old);
  const isLater = old !== undefined && form.change === "from" && asksSince(form, old);
  const next = isLater ? { ...cost, from: form.changeFrom } : cost;
  const kept = isLater
    ? endedOn({ ...old, ...keepUntil(old, form.changeFrom) }, daysBefore(form.changeFrom, 1))
    : undefined;
  const placed = old === undefined ? [...costs, next] : replaced(costs, old, kept, next);
  if (form.sum !== "instead") return placed;
  const sums = sumsOf(form, { others, old });
  return placed.flatMap((one) => (sums.includes(one) ? withoutDaysOf(one, next) : [one]));
}

/** The end of an earlier cost stays if it is before the change. */
const keepUntil = ({ until }: Cost, changeFrom: string): { readonly until?: string } =>
  until !== undefined && until < changeFrom ? { until } : {};

/** What remains of a cost on the days on which another one takes its place: before it, and after it. */
function withoutDaysOf(one: Cost, next: Cost): readonly Cost[] {
  if (!meet(one, next)) return [one];
  const before = next.from === undefined ? undefined : endedOn(one, daysBefore(next.from, 1));
  const from = next.until === undefined ? undefined : daysBefore(next.until, -1);
  const after = from !== undefined && (one.until === undefined || one.until >= from) ? { ...one, from } : undefined;
  return [before, after].filter((part) => part !== undefined);
}
