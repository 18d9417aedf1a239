import { randomInt } from "node:crypto";
import { HASH, hashOf, isSame, newSecret } from "../../core/access/secret.ts";
import type { Document } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { paths } from "../../core/files/paths.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long a link to sign in works, and an invitation. */
export const LINK_MS = 15 * MINUTE_MS;
const INVITATION_MS = 7 * DAY_MS;
/** How often the code of a link may be tried. */
const TRIES = 5;
/** Mails to one address in an hour. */
const MOST_MAILS = 5;

/** Characters of a code that are not taken for each other. */
const CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 8;

/** A link to sign in, or one that an admin or a command sends to somebody who is added. */
export type Kind = "link" | "invitation";

/** A one-time link. Only hashes of its secrets are kept, and of the code only together with one of them. */
interface Kept {
  readonly hash: string;
  readonly person: string;
  readonly kind: Kind;
  /** A command printed it: the operator is trusted, and it needs no code. */
  readonly isPrinted?: boolean;
  readonly createdAt: string;
  /** Of the browser that asked for it: the hash of its cookie. */
  readonly asked?: string;
  /** The code, hashed with the token, and with the cookie. */
  readonly codes: readonly string[];
  /** Wrong codes that came with the token. */
  readonly tries: number;
  /** Wrong codes without it: they end that way alone, so that who asked for the link of somebody else cannot use it up. */
  readonly triesAlone?: number;
  /** It was shown to an admin of this organization instead of being sent: it signs in nowhere else. */
  readonly only?: string;
  /** It was used, or its person removed, and is kept to count the mails of an hour. */
  readonly isUsed?: boolean;
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
        required: ["hash", "person", "kind", "createdAt", "codes", "tries"],
        properties: {
          hash: HASH,
          person: { type: "string", minLength: 1 },
          kind: { enum: ["link", "invitation"] },
          isPrinted: { type: "boolean" },
          createdAt: { type: "string" },
          asked: HASH,
          codes: { type: "array", items: HASH },
          tries: { type: "integer", minimum: 0 },
          triesAlone: { type: "integer", minimum: 0 },
          only: { type: "string" },
          isUsed: { type: "boolean" },
        },
      },
    },
  },
} as const;

/** What the page sends to sign in: the token of a link, the code that came with it, the cookie of a browser that asked. */
export interface Presented {
  readonly token?: string | undefined;
  readonly code?: string | undefined;
  readonly asked?: string | undefined;
}

/** A link as its page shows it. */
export interface Shown {
  readonly person: string;
  readonly kind: Kind;
  readonly expiresAt: string;
  readonly needsCode: boolean;
  /** The only organization that it signs in to. */
  readonly only?: string;
}

type Redeemed =
  | { readonly is: "signedIn"; readonly person: string; readonly only?: string }
  /** The code is missing or wrong; `left`: further tries. */
  | { readonly is: "code"; readonly left: number }
  | { readonly is: "unknown" };

/** A code as people type it: without blanks and hyphens, in any letters. */
const codeIn = (text: string): string => text.replaceAll(/[\s-]/g, "").toUpperCase();

const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join("");

/** The one-time links of people [D90], in `sign-ins.json`. */
export class SignIns {
  readonly #file: Document<Content>;
  readonly #clock: () => number;

  constructor(dataDir: string, clock: () => number = Date.now) {
    this.#clock = clock;
    this.#file = coordinationOf(dataDir).documents.open<Content>({
      file: paths.signIns(dataDir),
      lock: paths.signInsLock(dataDir),
      command: "people link",
      schema: SCHEMA,
      nothing: { links: [] },
    });
  }

  /** A link, and the code that goes with it; undefined if the address got as many mails as it may. */
  offer(
    person: string,
    {
      kind,
      isPrinted = false,
      asked,
      only,
    }: Pick<Kept, "kind" | "isPrinted" | "only"> & {
      readonly asked?: string | undefined;
    },
  ): Promise<{ readonly token: string; readonly code: string } | undefined> {
    return this.#file.change((content) => {
      const links = this.#kept(content);
      const mails = links.filter((one) => one.person === person && !one.isPrinted && this.#isWithin(one, HOUR_MS));
      if (!isPrinted && mails.length >= MOST_MAILS) return { content, result: undefined };
      const [token, code] = [newSecret(), newCode()];
      const link: Kept = {
        hash: hashOf(token),
        person,
        kind,
        ...(isPrinted ? { isPrinted } : {}),
        createdAt: new Date(this.#clock()).toISOString(),
        ...(asked === undefined ? {} : { asked: hashOf(asked) }),
        codes: isPrinted ? [] : [hashOf(token + code), ...(asked === undefined ? [] : [hashOf(asked + code)])],
        tries: 0,
        ...(only === undefined ? {} : { only }),
      };
      return { content: { links: [...links, link] }, result: { token, code } };
    });
  }

  /** What opening the address shows. It uses nothing up: programs open links, too. */
  async look({ token = "", asked }: Presented): Promise<Shown | undefined> {
    const hash = hashOf(token);
    const link = this.#working(await this.#file.latest()).find((one) => isSame(one.hash, hash) && one.tries < TRIES);
    if (!link) return undefined;
    const { person, kind, createdAt, only } = link;
    const expiresAt = new Date(Date.parse(createdAt) + lastsMs(link)).toISOString();
    return { person, kind, expiresAt, needsCode: !isEnough(link, asked), ...(only === undefined ? {} : { only }) };
  }

  /**
   * Uses a link up. By its token: alone for one that a command printed, and in the browser that asked for it; else with its code. In
   * the browser that asked the code alone is enough.
   */
  redeem({ token, code, asked }: Presented): Promise<Redeemed> {
    const given = code === undefined ? undefined : codeIn(code);
    const isAlone = token === undefined;
    return this.#file.change<Redeemed>((content) => {
      const links = this.#kept(content);
      const working = this.#working({ links });
      const [tokenHash, askedHash] = [hashOf(token ?? ""), hashOf(asked ?? "")];
      const found =
        token === undefined
          ? working.filter(
              (one) =>
                asked !== undefined &&
                one.asked !== undefined &&
                isSame(one.asked, askedHash) &&
                triesOf(one, isAlone) < TRIES,
            )
          : working.filter((one) => isSame(one.hash, tokenHash) && triesOf(one, isAlone) < TRIES);
      const proof = given === undefined ? undefined : hashOf((token ?? asked ?? "") + given);
      const opened = found.find(
        (one) =>
          (token !== undefined && isEnough(one, asked)) || one.codes.some((hash) => proof && isSame(hash, proof)),
      );
      if (opened) {
        const others = links.map((one) => (one === opened ? ended(one) : one));
        const { person, only } = opened;
        const result = { is: "signedIn", person, ...(only === undefined ? {} : { only }) } as const;
        return { content: { links: others }, result };
      }
      if (found.length === 0) return { content, result: { is: "unknown" } };
      const tried =
        given === undefined ? links : links.map((one) => (found.includes(one) ? counted(one, isAlone) : one));
      const tries = Math.min(...found.map((one) => triesOf(one, isAlone))) + (given === undefined ? 0 : 1);
      return { content: { links: tried }, result: { is: "code", left: Math.max(0, TRIES - tries) } };
    });
  }

  /** Ends the links of a person. They still count: a person who is removed and added again gets no more mails. */
  end(person: string): Promise<void> {
    return this.#file.change((content) => ({
      content: { links: this.#kept(content).map((one) => (one.person === person ? ended(one) : one)) },
      result: undefined,
    }));
  }

  #working({ links }: Content): Kept[] {
    return links.filter((one) => !one.isUsed && this.#isWithin(one, lastsMs(one)));
  }

  /** Those that work or count. */
  #kept({ links }: Content): Kept[] {
    return links.filter((one) => this.#isWithin(one, Math.max(lastsMs(one), HOUR_MS)));
  }

  /** False also for a time that is no date, or in the future: nothing lasts longer because a clock was wrong. */
  #isWithin({ createdAt }: Kept, milliseconds: number): boolean {
    const age = this.#clock() - Date.parse(createdAt);
    return age < milliseconds && age > -5 * MINUTE_MS;
  }
}

const lastsMs = ({ kind }: Kept): number => (kind === "invitation" ? INVITATION_MS : LINK_MS);

const triesOf = ({ tries, triesAlone = 0 }: Kept, isAlone: boolean): number => (isAlone ? triesAlone : tries);

const counted = (link: Kept, isAlone: boolean): Kept => ({
  ...link,
  [isAlone ? "triesAlone" : "tries"]: triesOf(link, isAlone) + 1,
});

const ended = (link: Kept): Kept => ({ ...link, codes: [], isUsed: true });

/** Whether the token alone signs in: printed by a command, or in the browser that asked for it. */
const isEnough = ({ isPrinted = false, asked }: Kept, given: string | undefined): boolean =>
  isPrinted || (asked !== undefined && given !== undefined && isSame(asked, hashOf(given)));
