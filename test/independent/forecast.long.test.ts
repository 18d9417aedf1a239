import { expect } from "chai";
import { buyersWorld } from "../support/buyersWorld.ts";
import { Laboratory } from "../support/exports.ts";
import type { World } from "../support/world.ts";
import { isObject } from "./differences.ts";
import { factsOf } from "./facts.ts";
import { forecast } from "./forecast.ts";

const PATH = "/v1/profitability/forecast";
/** Numbers that follow from the fits: they are equal up to the digits that the fits determine. */
const FITTED = /^\.model\.|predicted|errorPct|\.weeks\d+\.|ltvPredicted/i;
const COUNTED = /customers$|actual$|\.x$/i;

function differing(actual: unknown, expected: unknown, at = ""): string[] {
  if (isObject(actual) && isObject(expected)) {
    const keys = [...new Set([...Object.keys(actual), ...Object.keys(expected)])];
    return keys.flatMap((key) => differing(actual[key], expected[key], `${at}.${key}`));
  }
  const isClose =
    FITTED.test(at) && !COUNTED.test(at) && typeof actual === "number" && typeof expected === "number"
      ? Math.abs(actual - expected) <= Math.max(0.006, 1e-3 * Math.abs(expected))
      : Object.is(actual, expected);
  return isClose ? [] : [`${at}: answered ${actual}, computed ${expected}`];
}

describe("An independent computation of the forecast", function () {
  this.timeout(0);
  let laboratory: Laboratory;

  before(async () => {
    laboratory = await Laboratory.open();
  });

  const compare = (world: World, state: string): Promise<void> =>
    laboratory.with([world], async (landed) => {
      const answer = await landed.ask(world, PATH);
      expect(answer.state).to.equal(state);
      expect(differing(answer, forecast(factsOf(world)))).to.deep.equal([]);
    });

  it("gives the service's answer within the digits that the fits determine", () =>
    compare(buyersWorld(420, 560, 1), "ready"));

  it("finds the same histories too short, and too few", async () => {
    await compare(buyersWorld(700, 363, 2), "too_little");
    await compare(buyersWorld(80, 900, 3), "too_little");
  });
});
