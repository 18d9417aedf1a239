import { isOfLines, parametersOf } from "../../core/contract/attributes.ts";
import type { OrderSet, Span, Value } from "./sets.ts";

/** Parameters of the endpoint of orders. */
export type Selection = Readonly<Record<string, string>>;

const FIRST_DAY = "0001-01-01";
const LAST_DAY = "9999-12-31";

/** The parameters that select a set of orders; undefined if no parameters can. */
export function selectionOf(set: OrderSet): Selection | undefined {
  const { ordered, before, after, purchase, own, first, isFirst, acquiredIn = [], cost, isLater, months, order } = set;
  if (cost || isFirst || isLater || after || months !== undefined || order) return undefined;
  // The parameters name the order's own attribute: of a first purchase it is that of the first order.
  if (first && (purchase !== "first" || own)) return undefined;
  const attributes = [...(own ?? first ?? []), ...(set.requested ?? [])].map(attributeOf);
  if (attributes.includes(undefined)) return undefined;
  return {
    ...(ordered ? boundsOf(ordered, "startDate", "endDate") : {}),
    ...customersOf(set),
    ...(before ? { customer: "recurring" } : {}),
    ...(purchase ? { purchase } : {}),
    ...Object.assign({}, ...attributes, ...acquiredIn.map(ofFirst)),
  };
}

function customersOf({ acquired, ordered }: OrderSet): Selection {
  if (!acquired) return {};
  const isOfAnyDay = isUnbounded(acquired) && (!ordered || isUnbounded(ordered));
  return isOfAnyDay
    ? { customer: "new" }
    : { acquiredStart: acquired.from ?? FIRST_DAY, acquiredEnd: acquired.to ?? LAST_DAY };
}

const isUnbounded = ({ from, to }: Span): boolean => from === null && to === null;

const boundsOf = (span: Span, start: string, end: string): Selection =>
  isUnbounded(span) ? {} : { [start]: span.from ?? FIRST_DAY, [end]: span.to ?? LAST_DAY };

/** The parameters of the customer's first order. */
const ofFirst = ({ attribute, is }: Value): Selection =>
  attribute === "store" ? { acquiredIntegrationId: String(is) } : { acquiredChannel: String(is) };

function attributeOf({ attribute, is, source, isUnlisted = false }: Value): Selection | undefined {
  if (isUnlisted) return undefined;
  if (attribute === "strategy") return { strategy: is ?? "unclassified" };
  if (is === null) return undefined;
  // The endpoint has no such parameter: whether the others select the same orders is compared.
  if (attribute === "campaign_connector") return {};
  if (attribute === "campaign") return source === null ? undefined : { campaignId: is };
  return isOfLines(attribute) ? undefined : parametersOf(attribute, is);
}
