import { readFile } from "node:fs/promises";
import { pino } from "pino";
import { readConfig } from "../../src/core/config.ts";
import type { Organization } from "../../src/core/contract/settings.ts";
import { sha256OfText } from "../../src/core/files/checksum.ts";
import { openCoordination } from "../../src/features/cluster/openCoordination.ts";
import type { AlertLine } from "../../src/features/letters/alerts.ts";
import type { LettersDependencies } from "../../src/features/letters/dependencies.ts";
import { LetterRun } from "../../src/features/letters/run.ts";
import { Networks } from "../../src/features/webhooks/networks.ts";

/** What a sender of alerts is started with. */
export interface SenderParts {
  readonly dataDir: string;
  /** The settings, and what the alerts say: files that are read at every look. */
  readonly settings: string;
  readonly lines: string;
  readonly smtpPort: number;
  readonly databaseUrl?: string;
}

/** Sends as a service does; only what the alerts say comes from a file. */
export function senderOf(parts: SenderParts, others: Partial<LettersDependencies> = {}): LetterRun {
  const json = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, "utf8"));
  return new LetterRun({
    config: {
      dataDir: parts.dataDir,
      now: () => new Date(),
      smtp: { url: `smtp://127.0.0.1:${parts.smtpPort}`, from: "Lucra <lucra@example.com>" },
      publicUrl: "https://lucra.example.com",
    },
    organizations: async () => [await json<Organization>(parts.settings)],
    personOf: async () => ({}),
    askOf: () => () => Promise.reject(new Error("nothing is asked")),
    alerts: () => json<AlertLine[]>(parts.lines),
    stateOf: async () => sha256OfText(await readFile(parts.lines, "utf8")),
    networks: new Networks(["127.0.0.0/8"]),
    end: async () => {},
    log: pino({ level: "silent" }),
    lookMs: 30,
    ...others,
  });
}

const [, file = "", given] = process.argv;
if (file.endsWith("sender.ts") && given) {
  const parts: SenderParts = JSON.parse(given);
  const { databaseUrl, dataDir } = parts;
  const config = readConfig({ LUCRA_DATA_DIR: dataDir });
  await openCoordination(databaseUrl === undefined ? config : { ...config, databaseUrl });
  senderOf(parts).start();
  setInterval(() => {}, 1_000);
}
