import type { Basis, Days, OrdersOf, SpendOf } from "../../core/contract/basis.ts";
import { inputsOf } from "./formula.ts";
import { type Answered, type Place, placeOf } from "./place.ts";
import type { OrderSet, Sets, SpendSet, Value } from "./sets.ts";
import type { Found } from "./tree.ts";

/** The sets of a figure: those of its basis, and those of the figures that its formula names unless a basis replaces them. */
export function setsOf(found: Found, answered: Answered, isCompared = false): Sets {
  const { basis } = found.field;
  const periods = basis?.of === "both" ? [false, true] : [isCompared || basis?.of === "compared"];
  const own = basis ? periods.map((compared) => setsOfBasis(basis, placeOf(found, answered, compared))) : [];
  const inputs = basis && basis.of !== "both" ? [] : inputsOf(found, 0);
  const inherited = periods.flatMap((compared) => inputs.map((input) => setsOf(input, answered, compared)));
  const all = [...own, ...inherited];
  return {
    orders: withoutSubsets(all.flatMap(({ orders }) => orders)),
    spend: withoutSubsets(all.flatMap(({ spend }) => spend)),
    sales: withoutSubsets(all.flatMap(({ sales }) => sales)),
    also: [...new Set(all.flatMap(({ also }) => also))],
    isCompared: basis?.of === "both" || inherited.some((one) => one.isCompared),
  };
}

/** Leaves out sets that have every restriction of another one: that one includes them. */
function withoutSubsets<T extends object>(sets: readonly T[]): T[] {
  const restrictions = sets.map((set) => {
    const members = Object.entries(set).filter(([, value]) => value !== undefined);
    return new Set(members.map((member) => JSON.stringify(member)));
  });
  const includes = (one: number, other: number): boolean =>
    [...(restrictions[one] ?? [])].every((member) => restrictions[other]?.has(member)) &&
    (restrictions[one]?.size !== restrictions[other]?.size || one < other);
  return sets.filter((_, no) => !sets.some((_, other) => other !== no && includes(other, no)));
}

function setsOfBasis(basis: Basis, place: Place): Sets {
  return {
    orders: (basis.orders ?? []).flatMap((set) => orderSet(set, place) ?? []),
    spend: (basis.spend ?? []).flatMap((set) => spendSet(set, place) ?? []),
    sales: (basis.sales ?? []).map((of) => ({ of, ...place.sales })),
    also: basis.also ? [basis.also] : [],
    isCompared: basis.of === "both",
  };
}

const STEPS: ReadonlySet<Days> = new Set(["step", "firstStep", "untilStep"]);

const someOf = (values: readonly Value[]): readonly Value[] | undefined => (values.length > 0 ? values : undefined);

/** Undefined if there is no period to compare with, or no such step. */
function orderSet(set: OrdersOf, place: Place): OrderSet | undefined {
  const { days, value, step, order, requested, filters } = place;
  const ordered = set.ordered && days(set.ordered);
  const acquired = set.acquired && days(set.acquired);
  if ((set.ordered && !ordered) || (set.acquired && !acquired)) return undefined;
  return {
    ordered,
    isStep: set.ordered && STEPS.has(set.ordered) ? true : undefined,
    acquired,
    before: set.customer === "recurring" ? ordered : undefined,
    after: set.customer === "neither" ? ordered : undefined,
    months: set.isWithinSteps ? step : undefined,
    order: set.isRow ? order : undefined,
    own: set.own && value(set.own),
    requested: someOf([
      // What is said of customers counts all their orders, wherever.
      ...(set.acquired && !set.isFiltered ? [] : filters),
      ...(set.isRequested ? requested : []),
    ]),
    acquiredIn: set.acquired ? someOf(filters) : undefined,
    orNewElsewhere:
      set.customer === "neither" && ordered && filters.length > 0 ? { days: ordered, of: filters } : undefined,
    first: set.first && value(set.first),
    isFirst: set.isFirst,
    purchase: set.purchase,
    cost: set.cost,
    isLater: set.isLater,
  };
}

/** Undefined if there is no period to compare with. */
function spendSet({ spent, of, isRequested }: SpendOf, { days, value, requested }: Place): SpendSet | undefined {
  const span = days(spent);
  return (
    span && { spent: span, of: of && value(of), requested: isRequested && requested.length > 0 ? requested : undefined }
  );
}
