import { expect } from "chai";
import fc from "fast-check";
import { CHANNELS } from "../../src/core/contract/channel.ts";
import { filteredChoices, withStores } from "../independent/questions/filtered.ts";
import { type Additive, additiveFigures, BREAKDOWNS, type Figures, faultsOf, figuresOf } from "../support/additive.ts";
import { Laboratory, type Landed } from "../support/exports.ts";
import { type Period, period, type World, world } from "../support/world.ts";

const WORLDS = Number(process.env.WORLDS ?? 4);
const SEED = Number(process.env.SEED ?? 20_250_404);

interface Asked {
  readonly world: World;
  readonly period: Period;
}

const asked = fc
  .noBias(fc.record({ world, period, filtered: filteredChoices }))
  .map(({ filtered, ...one }): Asked => ({ ...one, world: withStores(one.world, filtered) }));

const storesOf = ({ settings }: World): string[] =>
  settings.integrations.filter(({ connector }) => /^store/.test(connector)).map(({ id }) => id);

/** Whether the stores have all spend between them: each account names one, or there is only one. */
const isOfStores = (one: World): boolean =>
  storesOf(one).length === 1 ||
  one.settings.integrations.every(({ connector, stores }) => !/ads$/.test(connector) || stores?.length === 1);

/** How the filtered answers differ from the whole one, for one analysis. */
async function faultsIn(landed: Landed, one: World, { path, sent, parts }: Additive): Promise<string[]> {
  const figures = async (filter: Readonly<Record<string, string>>): Promise<Figures> =>
    figuresOf(await landed.ask(one, path, { ...sent, ...filter }), parts);
  const whole = await figures({});
  const ofStores: Figures[] = [];
  for (const integrationId of storesOf(one)) ofStores.push(await figures({ integrationId }));
  const ofChannels: Figures[] = [];
  for (const channel of CHANNELS) ofChannels.push(await figures({ channel }));
  const address = `${path}?${new URLSearchParams(sent)}`;
  return [
    ...faultsOf(whole, ofStores, isOfStores(one)).map((fault) => `stores: ${address} ${fault}`),
    ...faultsOf(whole, ofChannels, true).map((fault) => `channels: ${address} ${fault}`),
  ];
}

/** The values of each attribute add up to the cards, of the organization and of a store. */
async function faultsByValues(landed: Landed, one: Asked, filter: Readonly<Record<string, string>>): Promise<string[]> {
  const dates = { startDate: one.period.start, endDate: one.period.end };
  const cards = await landed.ask(one.world, "/v1/profitability/cards", { ...dates, ...filter });
  const found: string[] = [];
  for (const by of BREAKDOWNS) {
    const sent = { by, ...dates, ...filter, compare: "none", limit: "5000" };
    const { data, total } = await landed.ask(one.world, "/v1/profitability/breakdown", sent);
    const values = data as Record<string, number | null>[];
    const whole = total as Record<string, number | null>;
    for (const name of ["orders", "newCustomers", "recurringOrders", "revenue", "discount"]) {
      const sum = values.reduce((all, value) => all + Number(value[name] ?? 0), 0);
      const isSame = Math.abs(sum - Number(whole[name] ?? 0)) < 1e-6;
      const isOfCards = name === "discount" || whole[name] === cards[name];
      if (!isSame || !isOfCards) found.push(`by ${by} ${name}: ${sum}, total ${whole[name]}, cards ${cards[name]}`);
    }
  }
  return found;
}

describe("Filters by store and channel [D86], and breakdowns [D89], add up to the whole", function () {
  this.timeout(0);
  let laboratory: Laboratory;
  let agreed = 0;

  before(async () => {
    laboratory = await Laboratory.open();
  });

  for (const [no, one] of fc.sample(asked, { numRuns: WORLDS, seed: SEED }).entries()) {
    const stores = storesOf(one.world);
    it(`of organization ${no + 1} of ${WORLDS}: ${stores.length} stores, every additive figure of every analysis`, async () => {
      await laboratory.with([one.world], async (landed) => {
        const found: string[] = [];
        for (const figures of additiveFigures(one.period)) found.push(...(await faultsIn(landed, one.world, figures)));
        found.push(...(await faultsByValues(landed, one, {})));
        found.push(...(await faultsByValues(landed, one, { integrationId: stores[0] ?? "" })));
        expect(found.slice(0, 20), `seed ${SEED}`).to.deep.equal([]);
      });
      agreed += 1;
    });
  }

  it("of all of them, n of n", () => {
    expect(agreed).to.equal(WORLDS);
  });
});
