import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { brief, quantity } from "../contract/text.ts";
import { writeWhole } from "../files/durable.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { type Outcome, refusedFiles } from "../landing/outcome.ts";

/** The result of the last sync of one integration, by the schedule or by hand. */
export interface LastResult {
  readonly organization: string;
  readonly integration: string;
  readonly started: string;
  readonly ended: string;
  /** The worst of: all landed · rows were rejected · files were refused · something failed. */
  readonly outcome: "ok" | "rejected" | "refused" | "failed";
  /** The problem, or the next step, in one line. */
  readonly reason: string | null;
  /** The result of that sync for each record that has exports: a file that had landed before is not counted again. */
  readonly records: readonly RecordResult[];
}

interface RecordResult {
  readonly record: string;
  /** Files landed. */
  readonly files: number;
  readonly landed: number;
  readonly replaced: number;
  readonly rejected: number;
  /** Files that could not be read. */
  readonly refused: number;
  /** Files that its next sync reads, because its time was over. */
  readonly postponed: number;
}

/** An unexpected error, with its place as far as it is known. */
export interface Failure {
  readonly organization: string;
  readonly integration?: string;
  readonly record?: string;
  /** The export's name within its record's folder. */
  readonly file?: string;
  readonly reason: string;
}

export const placeOf = ({ organization, integration, record, file }: Failure): string =>
  [organization, integration, record, file].filter((part) => part !== undefined).join("/");

/** How many characters of a reason are kept, and of a file's name in it: the name must not displace the reason. */
const LONGEST = { reason: 500, name: 200 };

interface Synced {
  readonly organization: string;
  readonly integration: string;
  readonly started: Date;
  readonly ended: Date;
  readonly outcomes: readonly Outcome[];
  /** Folders that are not read, with the reason. */
  readonly unread: readonly { readonly folder: string; readonly reason: string }[];
  readonly failures: readonly Failure[];
}

export function resultOf({
  organization,
  integration,
  started,
  ended,
  outcomes,
  unread: folders,
  failures,
}: Synced): LastResult {
  const [failure] = failures;
  const [unread] = [
    ...outcomes.flatMap(({ record, refused }) =>
      refused.slice(0, 1).map(({ file, reason }) => `${brief(`${record}/${file}`, LONGEST.name)} ${reason}`),
    ),
    ...folders.slice(0, 1).map(({ folder, reason }) => `${brief(folder, LONGEST.name)} ${reason}`),
  ];
  const unreadCount = outcomes.reduce((sum, outcome) => sum + refusedFiles(outcome), folders.length);
  const rejected = outcomes.reduce((sum, outcome) => sum + outcome.rejected, 0);
  const [outcome, reason]: [LastResult["outcome"], string | null] = failure
    ? ["failed", `${brief(failureLine(failure), LONGEST.reason)}${more(failures.length)}`]
    : unread !== undefined
      ? ["refused", `${brief(unread, LONGEST.reason)}${more(unreadCount)}`]
      : rejected > 0
        ? ["rejected", `${quantity(rejected, "row")}, see rejects/${organization}/${integration}`]
        : ["ok", null];
  const postponed = outcomes.reduce((sum, one) => sum + one.postponed, 0);
  const goesOn = postponed > 0 ? [`goes on at its next sync: ${quantity(postponed, "file")} not read yet`] : [];
  return {
    organization,
    integration,
    started: started.toISOString(),
    ended: ended.toISOString(),
    outcome,
    reason: [...(reason === null ? [] : [reason]), ...goesOn].join("; ") || null,
    records: outcomes.map((outcome) => ({
      record: outcome.record,
      files: outcome.files,
      landed: outcome.landed,
      replaced: outcome.replaced,
      rejected: outcome.rejected,
      refused: refusedFiles(outcome),
      postponed: outcome.postponed,
    })),
  };
}

/** The result is of one integration: its ids would only be repeated. */
const failureLine = ({ record, file, reason }: Failure): string =>
  [[record, file].filter((part) => part !== undefined).join("/"), reason]
    .filter(Boolean)
    .map((part, n, { length }) => (n < length - 1 ? brief(part, LONGEST.name) : part))
    .join(": ");

const more = (length: number): string => (length > 1 ? ` (and ${length - 1} more)` : "");

export function keepResult({ status }: OrganizationFolders, result: LastResult): Promise<void> {
  const place = path.join(status, `${result.integration}.json`);
  return writeWhole(place, `${JSON.stringify(result, null, 2)}\n`, 0o600);
}

/** The last result of each integration of an organization, if it has one, in the order of integrations. */
export async function lastResults({ status }: OrganizationFolders): Promise<LastResult[]> {
  const names = await readdir(status).catch(() => [] as string[]);
  const results: LastResult[] = [];
  for (const name of names.filter((name) => /^[^.].*\.json$/.test(name)).sort()) {
    const text = await readFile(path.join(status, name), "utf8").catch(() => "");
    const result = parsed(text);
    if (result) results.push(result);
  }
  return results;
}

/** Results are written whole: a file that cannot be parsed was not written by Lucra. */
function parsed(text: string): LastResult | undefined {
  try {
    const found = JSON.parse(text);
    return typeof found?.integration === "string" && Array.isArray(found.records) ? found : undefined;
  } catch {
    return undefined;
  }
}
