import { randomBytes } from "node:crypto";
import { LINKS } from "../../core/access/presented.ts";
import { HASH, hashOf, isSame, NO_HASH, newSecret } from "../../core/access/secret.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { canonicalId } from "../../core/contract/param.ts";
import type { Document } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { paths } from "../../core/files/paths.ts";
import type { Storage } from "../../core/files/storage.ts";
import { PIN_NAME } from "../../core/params/known.ts";

/**
 * What a share link answers [D57]: one endpoint with fixed parameters. `days`: the parameters of its period are the last
 * so many full days at each request, or, with `knownAt`, the last ones before that instant.
 */
export interface Shared {
  readonly organization: string;
  /** Path and query, without `organizationId`, `knownAt` and, with `days`, a period. */
  readonly endpoint: string;
  readonly days?: number;
  /** An instant, or the name of a pin: what was known then answers. */
  readonly knownAt?: string;
}

export interface Link extends Shared {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

interface Kept extends Link {
  /** Hash of the token in its address; a revoked link has none. */
  readonly hash?: string;
}

interface Content {
  readonly links: readonly Kept[];
}

const SCHEMA = {
  type: "object",
  required: ["links"],
  properties: {
    links: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "organization", "endpoint"],
        properties: {
          id: { type: "string", minLength: 1 },
          hash: HASH,
          organization: { type: "string" },
          endpoint: { type: "string", pattern: "^/" },
          days: { type: "integer", minimum: 1 },
          knownAt: { type: "string", minLength: 1 },
          expiresAt: { type: "string" },
        },
      },
    },
  },
} as const;

/** The route of all share links, which logs and metrics show in place of the address. */
export const LINK_ROUTE = `${LINKS}:token`;

export const addressOf = (token: string): string => LINKS + token;

/** The `knownAt` of the address, which may be a pin; null without one. */
export const pinOf = ({ knownAt = "" }: Pick<Shared, "knownAt">): string | null =>
  PIN_NAME.test(knownAt) ? knownAt : null;

/** False also if the expiry is not a date. */
const works = ({ expiresAt }: Link): boolean => expiresAt === undefined || Date.parse(expiresAt) > Date.now();

const shown = ({ hash: _, ...link }: Kept): Link => ({ ...link, organization: canonicalId(link.organization) });

/** The share links of `links.json`. */
export class Links {
  readonly #file: Document<Content>;
  #known: { readonly of: Content | undefined; readonly byHash: ReadonlyMap<string, Kept> } = {
    of: undefined,
    byHash: new Map(),
  };

  /** If the file becomes invalid, the last good links stay in force, and `onProblem` is called once. */
  constructor(dataDir: string, onProblem?: (problem: string) => void, waitMs?: number, storage?: Storage) {
    this.#file = coordinationOf(dataDir).documents.open<Content>({
      file: paths.links(dataDir),
      lock: paths.linksLock(dataDir),
      command: "links",
      schema: SCHEMA,
      nothing: { links: [] },
      onProblem,
      waitMs,
      storage,
    });
  }

  /** The link with this token. An unknown token takes as long as a known one. */
  async find(token: string): Promise<Link | undefined> {
    const content = await this.#file.current();
    if (content !== this.#known.of) {
      const byHash = new Map(content.links.flatMap((link) => (link.hash ? [[link.hash, link]] : [])));
      this.#known = { of: content, byHash };
    }
    const given = hashOf(token);
    const link = this.#known.byHash.get(given);
    const isFound = isSame(given, link?.hash ?? NO_HASH);
    return link && isFound && !link.revokedAt && works(link) ? shown(link) : undefined;
  }

  async list(): Promise<Link[]> {
    return (await this.#file.read()).links.map(shown);
  }

  /** Returns the token, which is not kept. */
  create(wanted: Shared & Pick<Link, "name" | "expiresAt">): Promise<{ readonly id: string; readonly token: string }> {
    return this.#file.change(({ links }) => {
      const token = newSecret();
      const id = `link_${randomBytes(9).toString("base64url")}`;
      const link = { id, hash: hashOf(token), ...wanted, createdAt: new Date().toISOString() };
      return { content: { links: [...links, link] }, result: { id, token } };
    });
  }

  /** The link stays, without its hash. */
  revoke(id: string): Promise<void> {
    return this.#file.change(({ links }) => {
      const link = links.find((one) => one.id === id);
      if (!link) throw new OperatorError(`no link ${id}`);
      if (link.revokedAt) throw new OperatorError(`link ${id} was revoked ${link.revokedAt}`);
      const { hash: _, ...rest } = link;
      const revoked = { ...rest, revokedAt: new Date().toISOString() };
      return { content: { links: links.map((one) => (one === link ? revoked : one)) }, result: undefined };
    });
  }
}
