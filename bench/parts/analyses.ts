import type { Service } from "../lab/service.ts";
import { inTurn, type Rounds, type Times } from "../lab/timing.ts";
import { addressOf, type Question, questionsOf } from "../questions.ts";
import { type Agreement, agreement } from "../references/agreement.ts";
import type { Reference } from "../references/reference.ts";
import type { Shop } from "../shop/shop.ts";

/** Another engine's times, if its answer is the same, and how it was compared. */
export interface Other {
  readonly times?: Times;
  /** Names of figures that were compared, and that only the service computes; values, and ties of rounding among them. */
  readonly compared: number;
  readonly missing: readonly string[];
  readonly values: number;
  readonly ties: number;
}

export interface Measured {
  readonly question: string;
  readonly bytes: number;
  /** The service with nothing kept from one request to the next, and with its default settings. */
  readonly cold: Times;
  readonly hot: Times;
  readonly others: Readonly<Record<string, Other>>;
}

const ROUNDS: Rounds = { uncounted: 3, least: 3, most: 15, seconds: 12 };

/**
 * Asks each question of both services and of the other engines, in turn, each round for another period: nothing can come
 * from a cache of answers.
 */
export async function measureAnalyses(
  shop: Shop,
  services: { readonly cold: Service; readonly hot: Service },
  references: readonly Reference[],
  log: (line: string) => void,
): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const [no, question] of questionsOf(shop).entries()) {
    const asked = (round: number): Question => questionsOf(shop, round)[no] as Question;
    const { bytes, found } = await compared(question, services, references);
    for (const [reference, { differences }] of found)
      for (const difference of differences) log(`${question.name}: ${reference.name} differs: ${difference}`);
    const equal = references.filter((reference) => found.get(reference)?.differences.length === 0);
    // The question itself has been asked: rounds begin a day earlier.
    const [cold, hot, ...rest] = (await inTurn(
      ROUNDS,
      [
        (round) => services.cold.computed(addressOf(asked(round + 1))),
        (round) => services.hot.computed(addressOf(asked(round + 1))),
        ...equal.map((reference) => (round: number) => reference.answer(asked(round + 1))),
      ],
      () => services.hot.rest(),
    )) as [Times, Times, ...Times[]];
    const others = Object.fromEntries(
      [...found].map(([reference, { figures, missing, values, ties }]): [string, Other] => {
        const times = rest[equal.indexOf(reference)];
        return [reference.name, { compared: figures.length, missing, values, ties, ...(times ? { times } : {}) }];
      }),
    );
    all.push({ question: question.name, bytes, cold, hot, others });
    log(`${question.name}: ${[cold, hot, ...rest].map(({ median }) => median.toFixed(0)).join(" / ")} ms`);
  }
  return all;
}

/**
 * The size of the answer, and how far the other engines agree with it. A function of its own: while the values of a large answer,
 * some 20 million, are held, a garbage collection of this process takes longer than an answer that it waits for.
 */
async function compared(
  question: Question,
  services: { readonly cold: Service; readonly hot: Service },
  references: readonly Reference[],
): Promise<{ bytes: number; found: Map<Reference, Agreement> }> {
  const body = await services.cold.computed(addressOf(question));
  if (!body.equals(await services.hot.computed(addressOf(question)))) {
    throw new Error(`${question.name}: the answers of both services differ`);
  }
  const rows = question.rows(JSON.parse(body.toString()));
  const found = new Map<Reference, Agreement>();
  for (const reference of references) found.set(reference, agreement(rows, (await reference.answer(question)).rows()));
  return { bytes: body.length, found };
}
