import "../../src/features/index.ts";
import { cp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { engineFeatures } from "../../src/commands/engine.ts";
import { readConfig } from "../../src/core/config.ts";
import { ApiError } from "../../src/core/contract/error.ts";
import { answerTo } from "../../src/core/contract/failures.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { endpointAt, endpoints } from "../../src/core/endpoints/index.ts";
import { EngineAnswers } from "../../src/core/engine/answers.ts";
import { GenerationChecks } from "../../src/core/engine/checks.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { withSettings } from "../../src/core/params/fromSettings.ts";
import { validate } from "../../src/core/params/validate.ts";
import { deriveAll } from "../../src/core/sync/sync.ts";
import { NOW } from "../../test/support/data.ts";
import { asText, contextOf } from "../../test/support/texts.ts";
import { organizations } from "./organizations.ts";
import { isExpected, type Question, questions } from "./questions.ts";

/**
 * A process that serves the mutated tree: it asks what the tests ask, and reports the first answer that is not the
 * expected one. For the fixtures the golden cases say what is expected, for the random organizations an independent
 * computation.
 */
const [dataDir = "", count = "0"] = process.argv.slice(2);
const config = readConfig({ LUCRA_DATA_DIR: dataDir, LUCRA_NOW: NOW });
const EMPTY: Organization = { organizationId: "_empty", name: "" };
const ALL = questions(organizations(Number(count)));

/** The questions for a change. */
export interface Wanted {
  /** The change affects derived data: derive everything again. */
  readonly isCore: boolean;
  /** Questions about this come first. */
  readonly near: string;
}

/** The question with a different answer, or the engine's failure; neither if nothing noticed the change. */
export interface Seen {
  readonly question?: string;
  readonly failure?: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const settingsOf = async (id: string): Promise<Organization> =>
  JSON.parse(await readFile(path.join(dataDir, "organizations", `${id}.json`), "utf8"));

/** The first question whose answer, or the service's refusal of it, is not as expected. */
async function wrongOf(asked: readonly Question[], isCore: boolean): Promise<Question | undefined> {
  const derived = new Set<string>();
  if (isCore) await rm(path.join(dataDir, "marts"), { recursive: true });
  await deriveAll(config, [EMPTY]);
  const database = await openServing(config, EMPTY.organizationId);
  try {
    const generations = {
      current: async (id: string) => {
        const generation = await currentGeneration(foldersOf(dataDir, id));
        if (!generation) throw new Error(`${id} is not derived`);
        return generation;
      },
      recheck: async () => false,
    };
    const engine = new EngineAnswers(
      { database, generations },
      {
        ...engineFeatures(database),
        checks: new GenerationChecks(database, endpoints),
      },
    );
    for (const question of asked) {
      const { organization } = question;
      if (isCore && !derived.has(organization)) await deriveAll(config, [await settingsOf(organization)]);
      derived.add(organization);
      const { status, body } = await answer(engine, question);
      if (!isExpected(status, body, question)) return question;
    }
    return undefined;
  } finally {
    database.close();
  }
}

async function answer(engine: EngineAnswers, { organization, address }: Question): Promise<Answer> {
  const endpoint = endpointAt(address);
  if (
    !endpoint ||
    endpoint.by === "organizations" ||
    endpoint.by === "adhoc" ||
    endpoint.by === "quality" ||
    endpoint.by === "pins"
  )
    throw new Error(`no endpoint ${address}`);
  const url = new URL(address, "http://x");
  const names = endpoint.path.split("/");
  const inPath = url.pathname.split("/").flatMap((value, n) => {
    const name = names[n] ?? "";
    return name.startsWith(":") ? [[name.slice(1), decodeURIComponent(value)]] : [];
  });
  const query = Object.fromEntries([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]));
  const sent = Object.fromEntries(Object.entries(query).map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  try {
    const at = config.now();
    const given = validate(endpoint, { ...sent, organizationId: organization, ...Object.fromEntries(inPath) }, at);
    const accepted = await withSettings(endpoint, given, at, () => settingsOf(organization));
    const text = await asText(engine.answer(contextOf(endpoint, organization, accepted)));
    return { status: 200, body: JSON.parse(text) };
  } catch (error) {
    if (error instanceof ApiError) return answerTo(error, "");
    throw error;
  }
}

async function judge({ isCore, near }: Wanted): Promise<Seen> {
  const isNear = ({ address }: Question): number => (near && address.includes(near) ? 0 : 1);
  try {
    const wrong = await wrongOf(
      ALL.toSorted((a, b) => isNear(a) - isNear(b)),
      isCore,
    );
    return wrong ? { question: `${wrong.organization} ${wrong.address}` } : {};
  } catch (error) {
    return { failure: (error as Error).message };
  } finally {
    if (isCore) {
      await rm(path.join(dataDir, "marts"), { recursive: true, force: true });
      await cp(path.join(dataDir, "marts.kept"), path.join(dataDir, "marts"), { recursive: true });
    }
  }
}

// No question was asked before this line: if the process ends earlier, the code did not load.
console.log(JSON.stringify({ isLoaded: true }));
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await judge(JSON.parse(line) as Wanted)));
}
