import type { Service } from "../lab/service.ts";
import { inTurn, type Times } from "../lab/timing.ts";
import { addressOf, type Question } from "../questions.ts";
import type { Memory } from "../references/memory.ts";

export interface Measured {
  readonly question: string;
  readonly bytes: number;
  readonly http: Times;
  readonly memory: Times;
  readonly scan: Times;
  /** One of each other engine whose answer is the same. */
  readonly others: Readonly<Record<string, Times>>;
}

/** Each question put to the service, uncached, and to what stands beside it, in turn. */
export async function measureAnalyses(
  questions: readonly Question[],
  service: Service,
  memory: Memory,
  rounds: number,
  tell: (line: Measured) => void,
): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const question of questions) {
    const address = addressOf(question);
    const { status, body } = await service.get(address);
    if (status !== 200) throw new Error(`${address}: ${status} ${body.toString().slice(0, 300)}`);
    const text = body.toString();
    const own = await memory.answer(question);
    if (own !== text) throw new Error(`${address}: the service and the same SQL on memory tables differ`);
    const { startDate, endDate, dateFrom, dateTo } = question.parameters;
    const [http, inMemory, scan] = (await inTurn(rounds, [
      () => service.get(address),
      () => memory.answer(question),
      () => memory.scan(startDate ?? dateFrom ?? "1900-01-01", endDate ?? dateTo ?? "2200-01-01"),
    ])) as [Times, Times, Times];
    const line = { question: question.name, bytes: body.length, http, memory: inMemory, scan, others: {} };
    tell(line);
    all.push(line);
  }
  return all;
}
