import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { writeWhole } from "../../core/files/durable.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";

/** Up to where one record is complete, and how far the present sweep over its windows has come [D63]. */
export interface RecordState {
  /** The first day that the last complete pull asked for. */
  readonly since?: string;
  /** When the last complete pull began: what changed later is asked for again. */
  readonly completeAt?: string;
  /** All changes until then were shown, if that is before `completeAt`. */
  readonly until?: string;
  /** The first day that the next pull asks for again, by the newest day that the vendor has shown. */
  readonly again?: string;
  /** State of the connector for its next pull. */
  readonly keep?: unknown;
  /** A pull over all windows that has not ended. */
  readonly sweep?: Sweep;
  /** How the last run ended, if not complete. */
  readonly failure?: { readonly at: string; readonly message: string; readonly retryAt?: string };
  readonly notes?: readonly string[];
}

export interface Sweep {
  readonly began: string;
  readonly from: string;
  readonly to: string;
  readonly first: boolean;
  readonly until?: string;
  readonly keep?: unknown;
  /** The last day of the windows that are done. */
  readonly through?: string;
  /** The first day of the windows that are done, where the newest one comes first. */
  readonly backTo?: string;
  readonly again?: string;
  /** The window that is under way: its pages in files, and where it goes on. */
  readonly window?: { readonly from: string; readonly pages: number; readonly resume: unknown };
}

export interface PullState {
  readonly version: 1;
  /** The account that the records are of. */
  readonly account?: string;
  readonly records: Readonly<Record<string, RecordState>>;
  /** The vendor's refusal of the credentials at the last run. */
  readonly refused?: { readonly at: string; readonly message: string };
  /** When the vendor says that the secrets end that were set at this instant. */
  readonly secrets?: { readonly setAt: string; readonly endAt: string };
}

const text = { type: "string" };
const isState = new Ajv().compile<PullState>({
  type: "object",
  required: ["version", "records"],
  properties: {
    version: { const: 1 },
    account: text,
    refused: { type: "object", required: ["at", "message"], properties: { at: text, message: text } },
    secrets: { type: "object", required: ["setAt", "endAt"], properties: { setAt: text, endAt: text } },
    records: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: {
          since: text,
          completeAt: text,
          until: text,
          again: text,
          notes: { type: "array", items: text },
          failure: { type: "object", required: ["at", "message"], properties: { at: text, message: text } },
          sweep: {
            type: "object",
            required: ["began", "from", "to", "first"],
            properties: {
              began: text,
              from: text,
              to: text,
              first: { type: "boolean" },
              through: text,
              backTo: text,
              again: text,
              until: text,
              window: {
                type: "object",
                required: ["from", "pages"],
                properties: { from: text, pages: { type: "integer", minimum: 0 } },
              },
            },
          },
        },
      },
    },
  },
});

const NOTHING: PullState = { version: 1, records: {} };

/** A missing or damaged state costs requests: everything is asked for again. */
export async function pullState(folders: OrganizationFolders, integration: string): Promise<PullState> {
  const content = await readFile(folders.pullState(integration), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  try {
    const found: unknown = JSON.parse(content ?? "");
    return isState(found) ? found : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** When secrets end, as the vendor said at the last pull with them. */
export const endOf = ({ secrets }: PullState, { setAt }: { readonly setAt: string }): string | undefined =>
  secrets?.setAt === setAt ? secrets.endAt : undefined;

export const keepState = (folders: OrganizationFolders, integration: string, state: PullState): Promise<void> =>
  writeWhole(folders.pullState(integration), `${JSON.stringify(state)}\n`, 0o600);
