import { mkdir } from "node:fs/promises";
import type { Config } from "../../core/config.ts";
import type { Endpoint } from "../../core/contract/endpoint.ts";
import type { Generations } from "../../core/contract/generations.ts";
import { wholeText } from "../../core/contract/longText.ts";
import { endpoints } from "../../core/endpoints/index.ts";
import { EngineAnswers } from "../../core/engine/answers.ts";
import { openServing } from "../../core/engine/serving.ts";
import { validate } from "../../core/params/validate.ts";

export interface AnsweringFiles {
  readonly organization: string;
  /** Derived files, and what names them. */
  readonly folder: string;
  readonly state: string;
  /** What rules that ask for now take. */
  readonly knownAt: string;
}

type Answer = Readonly<Record<string, unknown>>;

/** Asks an endpoint, by its address and further parameters. */
export type Ask = (address: string, sent: Readonly<Record<string, string>>) => Promise<Answer>;

/** Works with the answers that derived files give, as the API would. `spill`: a folder of the engine's own, which is made. */
export async function withAnswersOf<T>(
  config: Config,
  spill: string,
  { organization, folder, state, knownAt }: AnsweringFiles,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  // Engines do not share a folder.
  await mkdir(spill);
  const generations: Generations = { current: async () => ({ folder, state }), recheck: async () => false };
  const database = await openServing({ ...config, threads: 1 }, organization, spill, folder);
  try {
    const answers = new EngineAnswers({ database, generations });
    return await work(async (address, sent) => {
      const endpoint = endpoints.find((one) => one.path === address) as Endpoint;
      const accepted = validate(endpoint, { ...sent, organizationId: organization }, new Date(knownAt));
      const { signal } = new AbortController();
      const text = await answers.answer({
        endpoint,
        organizationId: organization,
        accepted,
        format: "json",
        signal,
        onQuery: () => {},
      });
      return JSON.parse(wholeText(text));
    });
  } finally {
    database.close();
  }
}
