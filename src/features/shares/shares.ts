import { randomBytes } from "node:crypto";
import { HASH, hashOf, isSame, NO_HASH, newSecret } from "../../core/access/secret.ts";
import type { Document } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { paths } from "../../core/files/paths.ts";
import type { Storage } from "../../core/files/storage.ts";

/** Lines of the statement that a share shows only if they were chosen. */
export const SECTIONS = ["fixed", "profit"] as const;
export type Section = (typeof SECTIONS)[number];

/** What a share opens [D94]: a page of the Explorer, and the answers that this page shows. */
export interface Shared {
  readonly organization: string;
  readonly name: string;
  /** The page's place in the Explorer, such as `report?from=2026-10-01&to=2026-10-31`. */
  readonly page: string;
  /** The addresses of its answers, as `addressIn` writes them. */
  readonly answers: readonly string[];
  readonly sections: readonly Section[];
  /** The name of a pin, or an instant: what was known then. */
  readonly knownAt?: string;
}

export interface Share extends Shared {
  readonly id: string;
  /** The person who made it. */
  readonly maker: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly revokedAt?: string;
  readonly openings: number;
  readonly openedAt?: string;
}

interface Kept extends Share {
  /** Hash of the token in its address; a revoked share has none. */
  readonly hash?: string;
}

interface Content {
  readonly shares: readonly Kept[];
}

const text = { type: "string", minLength: 1 } as const;
const SCHEMA = {
  type: "object",
  required: ["shares"],
  properties: {
    shares: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "organization", "name", "page", "answers", "sections", "maker", "expiresAt", "openings"],
        properties: {
          id: text,
          hash: HASH,
          organization: text,
          page: text,
          answers: { type: "array", items: text },
          sections: { type: "array", items: { enum: SECTIONS } },
          knownAt: text,
          expiresAt: text,
          openings: { type: "integer", minimum: 0 },
        },
      },
    },
  },
} as const;

/** A share that is over or revoked stays in the list this long. */
const LISTED_MS = 400 * 86_400_000;
/** Openings are written this long after the first of them. */
const COUNT_MS = 1_000;

const shown = ({ hash: _, ...share }: Kept): Share => share;

/** The shares of `shares.json`. */
export class Shares {
  readonly #file: Document<Content>;
  readonly #opened = new Map<string, number>();
  #counting: NodeJS.Timeout | undefined;
  #known: { readonly of: Content | undefined; readonly byHash: ReadonlyMap<string, Kept> } = {
    of: undefined,
    byHash: new Map(),
  };

  /** If the file becomes invalid, the last good shares stay in force, and `onProblem` is called once. */
  constructor(dataDir: string, onProblem?: (problem: string) => void, storage?: Storage) {
    this.#file = coordinationOf(dataDir).documents.open<Content>({
      file: paths.shares(dataDir),
      lock: paths.sharesLock(dataDir),
      command: "serve",
      schema: SCHEMA,
      nothing: { shares: [] },
      onProblem,
      storage,
    });
  }

  /** The share with this token. An unknown token takes as long as a known one. */
  async find(token: string): Promise<Share | undefined> {
    const content = await this.#file.current();
    if (content !== this.#known.of) {
      const byHash = new Map(content.shares.flatMap((share) => (share.hash ? [[share.hash, share]] : [])));
      this.#known = { of: content, byHash };
    }
    const given = hashOf(token);
    const share = this.#known.byHash.get(given);
    const isFound = isSame(given, share?.hash ?? NO_HASH);
    const works = share && !share.revokedAt && Date.parse(share.expiresAt) > Date.now();
    return works && isFound ? shown(share) : undefined;
  }

  /** Those of an organization, the newest first. */
  async of(organization: string): Promise<Share[]> {
    const { shares } = await this.#file.latest();
    return shares
      .filter((one) => one.organization === organization)
      .map(shown)
      .reverse();
  }

  /** Returns the token, which is not kept. */
  create(
    wanted: Shared & Pick<Share, "maker" | "expiresAt">,
  ): Promise<{ readonly share: Share; readonly token: string }> {
    return this.#file.change(({ shares }) => {
      const token = newSecret();
      const id = `share_${randomBytes(9).toString("base64url")}`;
      const createdAt = new Date().toISOString();
      const share: Kept = { id, hash: hashOf(token), ...wanted, createdAt, openings: 0 };
      const listed = shares.filter(({ expiresAt }) => Date.now() - Date.parse(expiresAt) < LISTED_MS);
      return { content: { shares: [...listed, share] }, result: { share: shown(share), token } };
    });
  }

  /** The share stays, without its hash. */
  revoke(id: string): Promise<void> {
    const revokedAt = new Date().toISOString();
    return this.#replace((share) => {
      if (share.id !== id || share.revokedAt) return share;
      const { hash: _, ...rest } = share;
      return { ...rest, revokedAt };
    });
  }

  /** Counts an opening. No address of a reader is kept. */
  opened({ id }: Share): void {
    this.#opened.set(id, (this.#opened.get(id) ?? 0) + 1);
    this.#counting ??= setTimeout(() => void this.write().catch(() => {}), COUNT_MS);
  }

  /** Writes the openings that were counted. */
  async write(): Promise<void> {
    clearTimeout(this.#counting);
    this.#counting = undefined;
    if (this.#opened.size === 0) return;
    const counted = new Map(this.#opened);
    this.#opened.clear();
    const openedAt = new Date().toISOString();
    await this.#replace((share) => {
      const more = counted.get(share.id);
      return more === undefined ? share : { ...share, openings: share.openings + more, openedAt };
    });
  }

  #replace(change: (share: Kept) => Kept): Promise<void> {
    return this.#file.change(({ shares }) => ({ content: { shares: shares.map(change) }, result: undefined }));
  }
}
