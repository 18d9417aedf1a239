import { importPKCS8, SignJWT } from "jose";
import { PullError, type SecretSet, type Secrets } from "./declaration.ts";

/** Asks the token endpoint with a form; throws a PullError. */
type AskToken = (form: Readonly<Record<string, string>>) => Promise<unknown>;

export interface Token {
  readonly text: string;
  /** `performance.now()` from which on it is renewed. */
  readonly renewAt: number;
  /** Whether the vendor has accepted it: a token that it refuses afterwards has expired. */
  worked: boolean;
}

interface Issued {
  readonly access_token?: unknown;
  /** Seconds, as the next one. */
  readonly expires_in?: unknown;
  readonly refresh_token_expires_in?: unknown;
}

const JWT_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** A token is renewed so much before its end. */
const EARLY_MS = 60_000;
const USUAL_LIFE_S = 3_600;

/** The short access tokens of one integration; they are kept in memory only. */
export class Tokens {
  /** When the refresh token ends, if the vendor says so: for access that was granted for a time, or to an app in testing. */
  secretsEnd: Date | undefined;
  readonly #request: AskToken;
  readonly #form: () => Promise<Readonly<Record<string, string>>>;
  #token: Promise<Token> | undefined;
  #present: Token | undefined;

  constructor(token: NonNullable<SecretSet["token"]>, secrets: Secrets, tokenUrl: string, request: AskToken) {
    this.#request = request;
    this.#form =
      token.by === "refresh"
        ? async () => ({
            grant_type: "refresh_token",
            client_id: secrets.clientId ?? "",
            client_secret: secrets.clientSecret ?? "",
            refresh_token: secrets.refreshToken ?? "",
          })
        : async () => ({ grant_type: JWT_GRANT, assertion: await assertionOf(secrets, token.scope, tokenUrl) });
  }

  async current(): Promise<Token> {
    this.#token ??= this.#issue();
    const token = await this.#token;
    if (performance.now() < token.renewAt) return token;
    return this.renewed(token);
  }

  /** A token other than this one: callers at the same time share one. */
  async renewed(old: Token): Promise<Token> {
    if ((await this.#token) === old) this.#token = this.#issue();
    return this.#token as Promise<Token>;
  }

  /** Whether no other one has been asked for since. */
  isPresent(token: Token): boolean {
    return token === this.#present;
  }

  #issue(): Promise<Token> {
    this.#present = undefined;
    const issued = this.#ask();
    issued.then(
      (token) => {
        this.#present = token;
      },
      () => {
        this.#token = undefined;
      },
    );
    return issued;
  }

  async #ask(): Promise<Token> {
    const answer = (await this.#request(await this.#form())) as Issued;
    if (typeof answer?.access_token !== "string" || answer.access_token === "")
      throw new PullError("credentials", "the token endpoint answered without an access token");
    const restS = Number(answer.refresh_token_expires_in);
    this.secretsEnd = restS > 0 ? new Date(Date.now() + restS * 1000) : undefined;
    const lifeMs = (Number(answer.expires_in) || USUAL_LIFE_S) * 1000;
    const renewAt = performance.now() + Math.max(lifeMs - EARLY_MS, lifeMs / 2);
    return { text: answer.access_token, renewAt, worked: false };
  }
}

/** The vendor refuses what is signed in its future: a clock may be ahead by so much. */
const CLOCK_AHEAD_S = 60;

/** Signed at the real time, because the vendor checks it, whatever clock the figures have. */
async function assertionOf(secrets: Secrets, scope: string, audience: string): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000) - CLOCK_AHEAD_S;
  try {
    const key = await importPKCS8(secrets.private_key ?? "", "RS256");
    return await new SignJWT({ scope })
      .setProtectedHeader({
        alg: "RS256",
        typ: "JWT",
        ...(secrets.private_key_id ? { kid: secrets.private_key_id } : {}),
      })
      .setIssuer(secrets.client_email ?? "")
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 3_600)
      .sign(key);
  } catch {
    // The library's message may quote the key.
    throw new PullError("credentials", "private_key of the service account's key file is no RSA key in PKCS #8");
  }
}
