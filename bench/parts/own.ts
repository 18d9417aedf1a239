import type { Service } from "../lab/service.ts";
import { inTurn, type Rounds, type Times } from "../lab/timing.ts";
import { addressOf, type OwnQuestion, ownQuestionsOf } from "../questions.ts";

/** A question without a counterpart in the other engines. */
export interface Own {
  readonly question: string;
  readonly bytes: number;
  /** The service with nothing kept from one request to the next, and with its default settings, but no cache of answers. */
  readonly cold: Times;
  readonly hot: Times;
}

const ROUNDS: Rounds = { uncounted: 3, least: 3, most: 15, seconds: 12 };

/** Asks each question of both services in turn, each round for another period if it has one. */
export async function measureOwn(
  services: { readonly cold: Service; readonly hot: Service },
  log: (line: string) => void,
): Promise<Own[]> {
  const all: Own[] = [];
  for (const [no, { name }] of ownQuestionsOf().entries()) {
    const asked = (service: Service, round: number): Promise<Buffer> =>
      service.computed(addressOf(ownQuestionsOf(round)[no] as OwnQuestion));
    const { length: bytes } = await asked(services.cold, 0);
    const [cold, hot] = (await inTurn(
      ROUNDS,
      [(round) => asked(services.cold, round + 1), (round) => asked(services.hot, round + 1)],
      () => services.hot.rest(),
    )) as [Times, Times];
    all.push({ question: name, bytes, cold, hot });
    log(`${name}: ${[cold, hot].map(({ median }) => median.toFixed(0)).join(" / ")} ms`);
  }
  return all;
}
