import type { Landed } from "../support/exports.ts";
import { compareRandom, spread } from "./agreement.ts";
import { differences, show } from "./differences.ts";
import { factsOf } from "./facts.ts";
import { withNumberedCustomers } from "./orders.ts";
import { type Asked, asked, questions } from "./questions/index.ts";

async function compare(landed: Landed, one: Asked, most: number): Promise<string[]> {
  const facts = factsOf(one.world);
  const found: string[] = [];
  for (const { path, sent, expected } of spread(questions(one), most)) {
    const answer = await landed.ask(one.world, path, sent);
    const different = differences(withNumberedCustomers(answer), withNumberedCustomers(expected(facts)));
    found.push(...different.map((difference) => `${path}?${new URLSearchParams(sent)} ${difference}`));
  }
  return found;
}

/** The differing organization in readable form: a line for each thing. */
function described({ world: { settings, syncs, ...rows } }: Asked): string {
  const lines = Object.entries(rows).map(([name, all]) => [`${name}:`, ...all.map(show)].join("\n  "));
  return [show(settings), `syncs: ${syncs.join(", ")}`, ...lines].join("\n");
}

/**
 * Compares the answers about so many random organizations with the independent computation: those to `most` questions to each
 * endpoint, or to all.
 */
export function compareWorlds(worlds: number, seed: number, most = Number.POSITIVE_INFINITY): void {
  compareRandom(
    {
      asked,
      differencesOf: (laboratory, one) => laboratory.with([one.world], (landed) => compare(landed, one, most)),
      described,
    },
    { worlds, seed },
  );
}
