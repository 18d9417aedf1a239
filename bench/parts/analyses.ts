import type { Service } from "../lab/service.ts";
import { inTurn, type Times } from "../lab/timing.ts";
import { addressOf, type Question } from "../questions.ts";
import { agreement } from "../references/agreement.ts";
import type { Memory } from "../references/memory.ts";
import type { Reference } from "../references/reference.ts";

export interface Measured {
  readonly question: string;
  readonly bytes: number;
  readonly http: Times;
  readonly memory: Times;
  readonly scan: Times;
  /** For each other engine with the same answer: its times, and how many of the answer's figures it computes. */
  readonly others: Readonly<Record<string, Times & { readonly figures: number }>>;
  readonly figures: number;
}

/** Asks each question of the uncached service and of the references, in turn. */
export async function measureAnalyses(
  questions: readonly Question[],
  service: Service,
  memory: Memory,
  references: readonly Reference[],
  rounds: number,
  log: (line: string) => void,
): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const question of questions) {
    const address = addressOf(question);
    const { status, body } = await service.get(address);
    const text = body.toString();
    if (status !== 200) throw new Error(`${address}: ${status} ${text.slice(0, 300)}`);
    if ((await memory.answer(question)) !== text) {
      throw new Error(`${address}: the service and the same SQL on memory tables differ`);
    }
    const rows = question.rows(JSON.parse(text));
    const equal: { reference: Reference; figures: number }[] = [];
    for (const reference of references) {
      const found = agreement(rows, (await reference.answer(question)).rows());
      if (found.differences.length === 0) equal.push({ reference, figures: found.figures.length });
      else log(`${question.name}: ${reference.name} differs, left out: ${found.differences[0]}`);
    }
    const { startDate, endDate, dateFrom, dateTo } = question.parameters;
    const times = await inTurn(rounds, [
      () => service.get(address),
      () => memory.answer(question),
      () => memory.scan(startDate ?? dateFrom ?? "1900-01-01", endDate ?? dateTo ?? "2200-01-01"),
      ...equal.map(
        ({ reference }) =>
          () =>
            reference.answer(question),
      ),
    ]);
    const [http, inMemory, scan, ...rest] = times as [Times, Times, Times, ...Times[]];
    const others = Object.fromEntries(
      equal.map(({ reference, figures }, n) => [reference.name, { ...(rest[n] as Times), figures }]),
    );
    const figures = new Set(rows.flatMap((row) => Object.keys(row))).size;
    all.push({ question: question.name, bytes: body.length, http, memory: inMemory, scan, others, figures });
    const shown = [http, inMemory, ...rest].map(({ median }) => median.toFixed(0)).join(" / ");
    log(`${question.name}: ${shown} ms`);
  }
  return all;
}
