import type { Endpoint } from "../../src/contract/endpoint.ts";
import { endpoints } from "../../src/endpoints/index.ts";
import { EngineAnswers } from "../../src/engine/answers.ts";
import { Database } from "../../src/engine/database.ts";
import { readSql } from "../../src/engine/sql.ts";
import { validate } from "../../src/params/validate.ts";
import type { Question } from "../questions.ts";
import { NOW } from "../shop/shop.ts";

/** The same SQL in process, on tables in memory with the content of the derived files: the engine's own limit. */
export interface Memory {
  answer(question: Question): Promise<string>;
  /** Only counts and sums the orders of the question's period: the cost of reading. */
  scan(first: string, last: string): Promise<void>;
  close(): void;
}

export async function openMemory(marts: string, organization: string, threads: number): Promise<Memory> {
  const database = await Database.open({ threads });
  const setup = readSql("setup");
  // `marts` is set before; the files would look for the folder of the current generation.
  const withoutMarts = setup.replace(/set variable marts = \([\s\S]*?\n\);/, "");
  await database.use(async (session) => {
    await session.set("marts", marts);
    await session.run(withoutMarts.replaceAll("create view", "create table"));
  });
  let asked = 0;
  // A new state each time: nothing is cached from one question to the next.
  const generations = {
    current: async () => ({ folder: marts, state: String(asked++) }),
    recheck: async () => false,
  };
  const answers = new EngineAnswers(database, generations, 0);
  return {
    answer: (question) => {
      const { endpoint, values } = endpointOf(question.path);
      const accepted = validate(
        endpoint,
        { ...question.parameters, ...values, organizationId: organization },
        new Date(NOW),
      );
      return answers.answer(endpoint, organization, accepted, new AbortController().signal);
    },
    scan: (first, last) =>
      database.use((session) =>
        session.run("select count(*), sum(revenue) from orders where ordered_on between $1::date and $2::date", [
          first,
          last,
        ]),
      ),
    close: () => database.close(),
  };
}

/** The endpoint of a path, and its path parameters. */
function endpointOf(asked: string): { endpoint: Endpoint; values: Record<string, string> } {
  const parts = asked.split("/");
  for (const endpoint of [...endpoints].sort((a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")))) {
    const declared = endpoint.path.split("/");
    if (declared.length !== parts.length) continue;
    if (!declared.every((part, n) => part.startsWith(":") || part === parts[n])) continue;
    const named = declared.flatMap((part, n) => (part.startsWith(":") ? [[part.slice(1), parts[n] ?? ""]] : []));
    return { endpoint, values: Object.fromEntries(named) };
  }
  throw new Error(`no endpoint answers ${asked}`);
}
