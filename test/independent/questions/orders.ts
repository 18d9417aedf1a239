import fc from "fast-check";
import { CHANNELS } from "../../../src/core/contract/channel.ts";
import { PAYMENT_GROUPS } from "../../../src/core/contract/payment.ts";
import { type Period, period } from "../../support/world.ts";
import { ANY_ORDER, type OrderFilters, orders } from "../orders.ts";
import { datesOf, EVER, type Question } from "./question.ts";

const NOT_SENT = { integrationId: null, acquiredIntegrationId: null, acquiredChannel: null } as const;

export const filters: fc.Arbitrary<OrderFilters> = fc
  .record({
    counted: fc.constantFrom("true", "false", "any"),
    acquired: fc.option(period, { freq: 3 }),
    purchase: fc.option(fc.constantFrom("first", "repeat"), { freq: 2 }),
    customer: fc.option(fc.constantFrom("new", "recurring", "anonymous"), { freq: 2 }),
    channel: fc.option(fc.constantFrom(...CHANNELS), { freq: 4 }),
    strategy: fc.option(fc.constantFrom("acquisition", "brand", "monetization", "unclassified"), { freq: 3 }),
    carried: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      fc.record({ paymentGroup: fc.constantFrom(...PAYMENT_GROUPS) }),
      fc.record({ state: fc.constantFrom("sp", " BA ", "Bahia", "montevideu") }),
      fc.record({
        city: fc.constantFrom("SAO_PAULO", "ilheus", "Ilhéus"),
        country: fc.constantFrom("br", "UY", "BRA"),
      }),
      fc.record({
        hour: fc.integer({ min: 0, max: 23 }).map(String),
        weekday: fc.integer({ min: 1, max: 7 }).map(String),
      }),
      fc.record({ salesChannel: fc.constantFrom("1", "web", ""), status: fc.constantFrom("paid", "invoiced") }),
    ),
  })
  .map((some) => ({ ...NOT_SENT, ...some }));

export const ordersChoices: fc.Arbitrary<readonly OrderFilters[]> = fc.array(filters, { minLength: 4, maxLength: 4 });

export const ORDERS = "/v1/profitability/orders";

/** All orders, counted or not, and those that pass the filters. */
export function ordersQuestions(periods: readonly Period[], choices: readonly OrderFilters[]): Question[] {
  return [{ ...ANY_ORDER, counted: "any" } as const, ...choices].map((wanted, no) => {
    const span = no % 2 === 0 ? null : (periods[no % periods.length] ?? null);
    const { acquired, carried, ...named } = wanted;
    const sent = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null);
    return {
      path: ORDERS,
      sent: {
        ...Object.fromEntries(sent),
        ...carried,
        ...(acquired ? { acquiredStart: acquired.start, acquiredEnd: acquired.end } : {}),
        ...datesOf(span),
      },
      expected: (facts) => orders(facts, span ?? EVER, wanted),
    };
  });
}
