import { createHash } from "node:crypto";
import {
  type Erasable,
  type ErasedHash,
  type Erasure,
  erasedHash,
  newNumber,
} from "../../core/landing/ledger/erasures.ts";

/** How rows are matched: an erasure takes what was asked for; what lands again is emptied if it bears any hash. */
export type Mode = "erase" | "land";

/** What is erased, by keyed hashes; grows while rows are read: an order that is met is known from then on by its id. */
export class Erased {
  readonly #key: string;
  readonly #hashes = new Map<string, ErasedHash & { readonly until: string; readonly no: number }>();
  /** New hashes, to be kept before the first file that has them is written. */
  readonly met = new Map<string, ErasedHash>();
  readonly #taken = new Set<string>();
  readonly #cache = new Map<string, string>();

  constructor(key: string, erasures: readonly Erasure[]) {
    this.#key = key;
    for (const { no, until, hashes } of erasures) {
      for (const [hash, one] of Object.entries(hashes)) {
        if (one.number !== undefined) this.#taken.add(one.number);
        // A later erasure of the same person counts for what came between.
        this.#hashes.set(hash, { ...one, until, no });
      }
    }
  }

  get size(): number {
    return this.#hashes.size;
  }

  /** The same, and one more erasure. */
  with(erasure: Erasure): Erased {
    const both = new Erased(this.#key, [erasure]);
    for (const [hash, one] of this.#hashes) if (!both.#hashes.has(hash)) both.#hashes.set(hash, one);
    for (const number of this.#taken) both.#taken.add(number);
    return both;
  }

  newNumber(): string {
    const number = newNumber(this.#taken);
    this.#taken.add(number);
    return number;
  }

  hash(of: Erasable, text: string): string {
    const id = `${of} ${text}`;
    const known = this.#cache.get(id);
    if (known !== undefined) return known;
    if (this.#cache.size > MOST_CACHED) this.#cache.clear();
    const hash = erasedHash(this.#key, of, text);
    this.#cache.set(id, hash);
    return hash;
  }

  find(of: Erasable, text: string): (ErasedHash & { readonly until: string }) | undefined {
    const hash = this.hash(of, text);
    const found = this.#hashes.get(hash);
    return found?.of === of ? found : undefined;
  }

  /** Knows from now on that something is erased. */
  add(of: Erasable, text: string, one: Omit<ErasedHash, "of">, until: string): void {
    const hash = this.hash(of, text);
    if (this.#hashes.get(hash)?.of === of) return;
    const added = { of, ...one };
    this.#hashes.set(hash, { ...added, until, no: Number.POSITIVE_INFINITY });
    this.met.set(hash, added);
    if (one.number !== undefined) this.#taken.add(one.number);
  }
}

const MOST_CACHED = 200_000;

/** The id of an order or a customer as all files of an integration write it. */
export const plainId = (id: string): string => id.trim().replace(/^gid:\/\/shopify\/(Order|Customer)\//, "");

export const idOf = (integration: string, id: string): string => `${integration} ${plainId(id)}`;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");

/** Numbers of phones are written with and without the codes of country and area. */
export const phoneOf = (text: string): string => digitsOf(text).replace(/^0+/, "").slice(-8);

export const documentOf = (text: string): string => text.replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase();

/** The customer's id that a download without one has, made of the document. */
export const idOfDocument = (text: string): string =>
  `document:${createHash("sha256")
    .update(text.replaceAll(/[^0-9A-Za-z]/g, ""))
    .digest("hex")
    .slice(0, 32)}`;

/** Ids that mean none [D5]. */
export const isFiller = (id: string): boolean =>
  /^(0|-1|-|nan|none|null|nat|n\/a|#n\/a|\\n|\(null\)|undefined|guest|\{?0{8}-?0{4}-?0{4}-?0{4}-?0{12}\}?)$/i.test(
    plainId(id),
  );

/** E-mails that stand for many people [D5]. */
export function isAlias(email: string): boolean {
  const [local = "", domain = "", ...more] = email.split("@");
  return (
    more.length > 0 ||
    !email.includes("@") ||
    /(^|\.)ct\.vtex\.com\.br$/.test(domain) ||
    /^(marketplace\.amazon\.|mail\.mercadolivre\.|mail\.mercadolibre\.)/.test(domain) ||
    /^(no|sem|nao)[-_.]?(e?mail|reply|informado|tem)$/.test(local)
  );
}

/** More would cost more than they save. */
const MOST_NEEDLES = 500;

/**
 * Tells texts apart that have none of some plain values: e-mails and ids, in whatever letters and encoding. Undefined if they
 * may be written in ways that are not looked for. Only while a command runs: what is kept are hashes.
 */
export function needlesOf(values: readonly string[]): ((text: string) => boolean) | undefined {
  const isPlain = values.every((value) => /^[\w.@\- ]+$/.test(value));
  if (values.length === 0 || values.length > MOST_NEEDLES || !isPlain) return undefined;
  const pattern = new RegExp(values.map((value) => value.toLowerCase().replaceAll(/[.-]/g, "\\$&")).join("|"));
  return (text) => {
    const small = text.toLowerCase();
    if (pattern.test(small)) return true;
    const isEncoded = small.includes("%") || small.includes("\\u00");
    return isEncoded && pattern.test(small.replaceAll(/%(25)?40|\\u0040/g, "@"));
  };
}

const MASK = /(?:-[0-9]+b?\.ct\.vtex\.com\.br)+$/;

/** An e-mail as customers are compared [D5]: trimmed, in small letters, without the mask. */
export const emailOf = (text: string): string => text.trim().toLowerCase().replace(MASK, "");

const LOCAL = "[\\p{L}\\p{N}._%+\\-']+";
/** An e-mail in any text, also percent-encoded. */
const EMAIL = new RegExp(`${LOCAL}(?:@|%40|%2540)[\\p{L}\\p{N}.\\-]+`, "giu");

/** Whether a text may have an e-mail at all. */
const mayHaveEmail = (text: string): boolean => text.includes("@") || /%(25)?40/.test(text);

/** The e-mails in a text, as customers are compared. */
export const emailsIn = (text: string): string[] =>
  mayHaveEmail(text) ? [...text.matchAll(EMAIL)].map(([token]) => emailOf(decoded(token).replace(/[.-]+$/, ""))) : [];

/**
 * A text without the e-mails that are erased, and how many there were. What is left of `mailto:a@b.c` and `?e=a%40b.c` stays.
 * `isErased` gets an e-mail as customers are compared.
 */
export function withoutEmails(
  text: string,
  isErased: (email: string) => boolean,
): { readonly text: string; readonly found: number } {
  if (!mayHaveEmail(text)) return { text, found: 0 };
  let found = 0;
  const left = text.replaceAll(EMAIL, (token) => {
    const beginning = erasedPart(token, isErased);
    if (beginning === undefined) return token;
    found++;
    return beginning;
  });
  return { text: left, found };
}

/** What of the token stands before the erased e-mail; undefined if there is none. */
function erasedPart(token: string, isErased: (email: string) => boolean): string | undefined {
  for (const from of beginnings(token)) {
    if (isErased(emailOf(decoded(token.slice(from)).replace(/[.-]+$/, "")))) return token.slice(0, from);
  }
  return undefined;
}

/** Encoded signs that are no part of an address, as in `e%3Da%40b.c`. */
const ENCODED_SIGN = /%(?:25)?(?:2[0-26-9CF]|3[A-F]|[57][B-E]|60|0[0-9A-F])/giu;

/** Where an address may begin: `ana.b@c.d` is another one than `b@c.d`. */
function beginnings(token: string): number[] {
  const at = token.search(/@|%(?:25)?40/i);
  const local = token.slice(0, at);
  const first = local.search(/[\p{L}\p{N}%]/u);
  const after = [...local.matchAll(ENCODED_SIGN)].map((sign) => sign.index + sign[0].length);
  return [...new Set([0, Math.max(0, first), ...after])];
}

function decoded(text: string): string {
  let known = text;
  for (let times = 0; times < 2 && /%[0-9A-Fa-f]{2}/.test(known); times++) {
    try {
      known = decodeURIComponent(known);
    } catch {
      return known;
    }
  }
  return known;
}
