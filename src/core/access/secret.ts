import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** The form of every secret: 256 bits in base64url. */
export const SECRET = /^[\w-]{43}$/;

export const newSecret = (): string => randomBytes(32).toString("base64url");

/** The stored hash of a secret. Secrets are 256 random bits, so a slow hash would only add delay. */
export const hashOf = (secret: string): string => hash("sha256", secret, "hex");

/** The form of a kept hash, for schemas. */
export const HASH = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;

/** Dummy hash for unknown ids, so that their check takes as long. */
export const NO_HASH = randomBytes(32).toString("hex");

/** Compares in constant time. */
export const isSame = (hash: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hash, "hex"), Buffer.from(other, "hex"));
