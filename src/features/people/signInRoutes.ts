import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import express, { type Router } from "express";
import { newSecret, SECRET } from "../../core/access/secret.ts";
import type { Authenticator } from "../../core/http/authenticator.ts";
import { type Exchange, exchangeOf, headerOf } from "../../core/http/exchange.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import { isLoopbackName } from "../../core/http/local.ts";
import type { RequestLog } from "../../core/http/log.ts";
import { HourlyRequests, networkAddressOf } from "../../core/http/networkAddress.ts";
import type { Mailer } from "../mail/mailer.ts";
import { PlatformError, refused } from "../platform/errors.ts";
import { assertFromPage, assertHere, bodyOf, type Place } from "../platform/requests.ts";
import { answered } from "../platform/routes.ts";
import type { PeopleAccess } from "./access.ts";
import { cookie, tokenOf } from "./cookies.ts";
import { emailIn, type Language, LOCAL, NO_EMAIL, type People } from "./people.ts";
import { SESSION_MS, type Sessions } from "./sessions.ts";
import { signInMail } from "./signInMail.ts";
import { LINK_MS, type SignIns } from "./signIns.ts";

const SIGN_IN = "/platform/sign-in";

interface SignInDependencies extends Place {
  readonly people: People;
  readonly access: PeopleAccess;
  readonly signIns: SignIns;
  readonly sessions: Sessions;
  /** Undefined: no mail is set up. */
  readonly mailer: Mailer | undefined;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly readOnly: boolean;
  /** The names of organizations, for who would sign in where. */
  readonly namesOf: (organizations: readonly string[]) => Promise<readonly string[]>;
  /** The language of a person who has chosen none: that of an organization's settings. */
  readonly languageOf: (organizations: readonly string[]) => Promise<Language>;
  readonly requests?: HourlyRequests;
  /** How long after the answer the person is looked up: between these times. */
  readonly restMs?: readonly [number, number];
}

const REST_MS = [100, 2_000] as const;

/** The address that a link opens. The token is in the fragment, which browsers do not send: no log has it. */
export const signInLink = (publicUrl: string, token: string): string => signInAt(`${publicUrl}/explorer`, token);

export const signInAt = (explorer: string, token: string): string => `${explorer}#signin=${token}`;

/** How people sign in [D90]: they ask for a link, see whom it signs in, and use it by a button. */
export const signInFeature = (deps: SignInDependencies): HttpFeature => ({
  paths: [SIGN_IN, `${SIGN_IN}/look`, `${SIGN_IN}/enter`],
  routes: ({ authenticator, log }) => signInRouter(deps, authenticator, log),
});

function signInRouter(deps: SignInDependencies, authenticator: Authenticator, log: RequestLog): Router {
  const { requests = new HourlyRequests() } = deps;
  const router = express.Router({ caseSensitive: true, strict: true });
  const post = (path: string, work: (exchange: Exchange, sent: Sent) => Promise<object>): void => {
    router.post(path, (request, response) => {
      const exchange = exchangeOf(response);
      return answered(exchange, log, async () => {
        assertHere(request, deps);
        assertFromPage(request, deps);
        if (deps.readOnly) throw new PlatformError("onlyReading");
        return work(exchange, textsIn(await bodyOf(exchange)));
      });
    });
  };
  const failed = async (exchange: Exchange): Promise<never> => {
    await authenticator.countFailure(exchange);
    throw new PlatformError("notFound");
  };

  post(SIGN_IN, async (exchange, { email: text }) => {
    const { request, response } = exchange;
    const email = emailIn(text);
    if (!deps.mailer) throw new PlatformError("notFound");
    if (email === undefined) throw refused("invalid", "email", NO_EMAIL);
    const address = networkAddressOf(request, deps.trustedProxies);
    if (address !== undefined && !requests.admits(address)) throw new PlatformError("tooMany");
    const asked = tokenOf(request, "lucra_asked") ?? newSecret();
    response.setHeader("Set-Cookie", cookie(request, "lucra_asked", asked, LINK_MS / 1000));
    // Nothing is looked up before the answer: its time does not tell who is known.
    response.once("finish", () => void offer(deps, email, asked).catch((error) => log.unforeseen(exchange, error)));
    return { sent: true };
  });

  post(`${SIGN_IN}/look`, async (exchange, { token = "" }) => {
    const link = await deps.signIns.look({ token, asked: tokenOf(exchange.request, "lucra_asked") });
    const client = link && (await deps.access.verified(link.person, link.only));
    if (!link || !client) return failed(exchange);
    const { person: email, kind, expiresAt, needsCode } = link;
    return {
      person: email,
      kind,
      expiresAt,
      needsCode,
      organizations: await deps.namesOf(client.organizations.slice(0, 20)),
    };
  });

  post(`${SIGN_IN}/enter`, async (exchange, { token, code }) => {
    const { request, response } = exchange;
    const redeemed = await deps.signIns.redeem({ token, code, asked: tokenOf(request, "lucra_asked") });
    if (redeemed.is === "unknown") return failed(exchange);
    if (redeemed.is === "code") {
      if (code !== undefined) await authenticator.countFailure(exchange);
      return { signedIn: false, triesLeft: redeemed.left };
    }
    const { person, only } = redeemed;
    const client = await deps.access.verified(person, only);
    if (!client || (person === LOCAL && !isLoopbackName(request))) return failed(exchange);
    const agent = headerOf(request, "user-agent");
    const session = await deps.sessions.startOf(
      { person, ...(only === undefined ? {} : { only }) },
      agent,
      tokenOf(request, "lucra_session"),
    );
    const known = await deps.people.find(person);
    if (known && !known.hasSignedIn) await deps.people.update(person, { hasSignedIn: true });
    response.setHeader("Set-Cookie", [
      cookie(request, "lucra_session", session.token, SESSION_MS / 1000),
      cookie(request, "lucra_asked", "", 0),
    ]);
    return { signedIn: true, person, expiresAt: session.expiresAt.toISOString() };
  });
  return router;
}

type Sent = Readonly<Partial<Record<"email" | "token" | "code", string>>>;

/** The texts of a body; those that are no token or code are left out. */
function textsIn(body: unknown): Sent {
  const { email, token, code } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  return {
    ...(typeof email === "string" ? { email } : {}),
    ...(typeof token === "string" && SECRET.test(token) ? { token } : {}),
    ...(typeof code === "string" && code.length <= 40 ? { code } : {}),
  };
}

/** Sends a link to a person who is known, after the answer has left. */
async function offer(deps: SignInDependencies, email: string, asked: string): Promise<void> {
  // What follows takes time only for who is known: at once, it would slow the next answer to the same sender.
  await sleep(randomInt(...(deps.restMs ?? REST_MS)), undefined, { ref: false });
  const client = await deps.access.verified(email);
  if (!client) return;
  const made = await deps.signIns.offer(email, { kind: "link", asked });
  if (!made) return;
  const language = (await deps.people.find(email))?.language ?? (await deps.languageOf(client.organizations));
  const link = signInLink(deps.publicUrl, made.token);
  deps.mailer?.send(signInMail({ to: email, kind: "link", link, code: made.code, language, where: deps.publicUrl }));
}
