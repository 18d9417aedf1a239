import type { Document } from "../coordination/coordination.ts";
import { coordinationOf } from "../coordination/registry.ts";
import { paths } from "../files/paths.ts";
import type { Verified } from "./credentials.ts";

interface Content {
  /** By client. */
  readonly uses: Readonly<Record<string, string>>;
}

const SCHEMA = {
  type: "object",
  required: ["uses"],
  properties: { uses: { type: "object", additionalProperties: { type: "string" } } },
} as const;

/** How late a use may be noted: a client that asks all the time is written once in this time. */
const EVERY_MS = 3_600_000;

/** When each client last used its credentials, up to an hour late. No request waits for it. */
export class LastUses {
  readonly #document: Document<Content>;
  readonly #writes: boolean;
  readonly #notedAt = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  /** `writes`: false for a service that writes nothing; uses there are not noted. */
  constructor(dataDir: string, writes: boolean) {
    this.#document = coordinationOf(dataDir).documents.open<Content>({
      file: paths.credentialUses(dataDir),
      lock: paths.credentialUsesLock(dataDir),
      command: "keys",
      schema: SCHEMA,
      nothing: { uses: {} },
      onProblem: () => {},
    });
    this.#writes = writes;
  }

  note(clientId: string): void {
    const before = this.#notedAt.get(clientId) ?? Number.NEGATIVE_INFINITY;
    if (!this.#writes || performance.now() - before < EVERY_MS) return;
    this.#notedAt.set(clientId, performance.now());
    const at = new Date().toISOString();
    this.#writing = this.#writing
      .then(() =>
        this.#document.change(({ uses }) => ({ content: { uses: { ...uses, [clientId]: at } }, result: undefined })),
      )
      // The next use tries again.
      .catch(() => this.#notedAt.delete(clientId));
  }

  /** By client; without those that were never used. */
  async all(): Promise<Readonly<Record<string, string>>> {
    await this.#writing;
    return (await this.#document.latest()).uses;
  }
}

type Verify = (clientId: string, secret: string) => Promise<Verified | undefined>;

/** Credentials of which each use is noted. */
export const noted = (credentials: { readonly verify: Verify }, uses: LastUses): { readonly verify: Verify } => ({
  verify: async (clientId, secret) => {
    const verified = await credentials.verify(clientId, secret);
    if (verified) uses.note(clientId);
    return verified;
  },
});
