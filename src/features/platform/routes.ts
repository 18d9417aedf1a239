import { createHash } from "node:crypto";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import express, { type Request, type Router } from "express";
import { roleIn, type SignedIn, type Verified } from "../../core/access/credentials.ts";
import { type Audit, PLATFORM } from "../../core/audit/audit.ts";
import { ApiError, OperatorError } from "../../core/contract/error.ts";
import { canonicalId } from "../../core/contract/param.ts";
import { NoTurn } from "../../core/coordination/coordination.ts";
import type { Authenticator } from "../../core/http/authenticator.ts";
import { type Exchange, exchangeOf, headerOf } from "../../core/http/exchange.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import type { RequestLog } from "../../core/http/log.ts";
import { PlatformError, refusal } from "./errors.ts";
import { assertFromPage, assertHere, bodyOf, bytesOf, isEnglish, isFromPage, type Place } from "./requests.ts";
import { type Call, type Change, organizationIn, type Resource, type Who } from "./resource.ts";

interface PlatformDependencies extends Place {
  readonly resources: readonly Resource[];
  /** The client of the request's session; undefined without one. */
  readonly clientOf: (request: Request) => Promise<Verified | undefined>;
  readonly organizations: { has(id: string): Promise<boolean> };
  readonly audit: Audit;
  /** Runs changes of an organization one after the other, among all processes. */
  readonly exclusively: <T>(organization: string, work: () => Promise<T>) => Promise<T>;
  /** The service writes nothing: another one takes changes. */
  readonly readOnly: boolean;
}

const DAY_MS = 86_400_000;
const CHANGES = { POST: "add", PUT: "replace", DELETE: "remove" } as const;
type Method = keyof typeof CHANGES;

/** `/platform` [D91]: the resources, each as it is declared. */
export const platformFeature = (deps: PlatformDependencies): HttpFeature => ({
  paths: deps.resources.map(({ path }) => path),
  routes: ({ authenticator, log }) => {
    const router = express.Router({ caseSensitive: true, strict: true });
    for (const resource of deps.resources) answerFor(router, deps, resource, authenticator, log);
    router.all(/^\/platform(\/|$)/, (_request, response) =>
      answered(exchangeOf(response), log, async () => {
        throw new PlatformError("notFound");
      }),
    );
    return router;
  },
});

function answerFor(
  router: Router,
  deps: PlatformDependencies,
  resource: Resource,
  authenticator: Authenticator,
  log: RequestLog,
): void {
  const validators = compiled(resource);
  router.all(resource.path, (request, response) => {
    const exchange = exchangeOf(response);
    return answered(exchange, log, async () => {
      assertHere(request, deps);
      const isRead = request.method === "GET" || request.method === "HEAD";
      const change = isRead ? undefined : resource[CHANGES[request.method as Method]];
      if (isRead ? !resource.read : !change) {
        response.setHeader("Allow", allowed(resource));
        throw new PlatformError("methodNotAllowed");
      }
      if (change) assertFromPage(request, deps, change.isBytes);
      if (change && deps.readOnly) throw new PlatformError("onlyReading");
      const person = await personOf(deps, exchange, authenticator);
      const who = change?.who ?? resource.who;
      const call = await callOf(deps, { ...resource, who }, exchange, person);
      if (!change) return withTag(exchange, (await resource.read?.(call)) ?? {});
      if (change.isRecent && !person.isRecent) throw new PlatformError("signInAgain");
      const sent = await (change.isBytes ? bytesOf : bodyOf)(exchange, change.most);
      const body = change.isBytes || change.body !== undefined ? sent : undefined;
      const validate = validators.get(change);
      if (validate && !validate(body))
        throw new PlatformError("invalid", { details: detailsOf(validate.errors ?? []) });
      const asked = { ...call, body };
      if (change.isLogged === false) return change.run(asked);
      return deps.exclusively(call.organization || PLATFORM, async () => {
        await assertStill(deps, { ...resource, who }, asked, request);
        return changed(deps, resource, change, asked, request);
      });
    });
  });
}

const ajv = new Ajv({ allErrors: true });

const compiled = ({ add, replace, remove }: Resource): ReadonlyMap<Change, ValidateFunction> =>
  new Map(
    [add, replace, remove].flatMap((change) =>
      change?.body === undefined ? [] : [[change, ajv.compile(change.body)] as const],
    ),
  );

const detailsOf = (errors: readonly ErrorObject[]) =>
  errors.map(({ instancePath, params, message = "" }) => ({
    parameter: [instancePath, params.missingProperty ?? params.additionalProperty].filter(Boolean).join("/").slice(1),
    message,
  }));

const allowed = ({ read, add, replace, remove }: Resource): string =>
  [read && "GET, HEAD", add && "POST", replace && "PUT", remove && "DELETE"].filter(Boolean).join(", ");

/** Sends what the work returns, or why it was refused. */
export async function answered(exchange: Exchange, log: RequestLog, work: () => Promise<object>): Promise<void> {
  const { request, response, id } = exchange;
  response.setHeader("Cache-Control", "no-store");
  let [status, body]: [number, object] = [200, {}];
  try {
    body = await work();
  } catch (error) {
    const known = refusalOf(error);
    if (known.kind === "unforeseen") log.unforeseen(exchange, error);
    if (response.headersSent || response.destroyed) return void response.destroy();
    ({ status, body } = refusal(known, isEnglish(exchange), id));
    if (status === 429) response.setHeader("Retry-After", "60");
    if (status === 503) response.setHeader("Retry-After", "5");
  }
  response.status(status).setHeader("Content-Type", "application/json; charset=utf-8");
  response.end(request.method === "HEAD" ? undefined : JSON.stringify(body));
}

function refusalOf(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof URIError) return new PlatformError("notFound");
  if (error instanceof ApiError) {
    if (error.kind === "unauthorized" || error.kind === "notFound") return new PlatformError(error.kind);
    if (error.kind === "tooMany" || error.kind === "tooManyFailures") return new PlatformError("tooMany");
    if (error.kind === "storage") return new PlatformError("unavailable");
    if (error.kind === "invalid") return new PlatformError("invalid", { details: error.details });
  }
  if (error instanceof NoTurn) return new PlatformError("busy");
  // What an operator can repair is told to the page as it is: it is about what the page asked for.
  if (error instanceof OperatorError)
    return new PlatformError("conflict", { details: [{ parameter: "", message: error.message }] });
  return new PlatformError("unforeseen");
}

/** The person of the session. A failure counts for the address, a request for the session. */
async function personOf(
  { clientOf }: PlatformDependencies,
  exchange: Exchange,
  authenticator: Authenticator,
): Promise<SignedIn> {
  const { request } = exchange;
  const client = isFromPage(request) ? await clientOf(request) : undefined;
  if (!client) {
    await authenticator.countFailure(exchange);
    throw new PlatformError("unauthorized");
  }
  exchange.client = client;
  await authenticator.count(exchange);
  if (!client.person) throw new PlatformError("keyOnlyReads");
  return client.person;
}

async function callOf(
  { organizations }: PlatformDependencies,
  resource: Resource,
  exchange: Exchange,
  person: SignedIn,
): Promise<Call> {
  const { request } = exchange;
  const { organization: sent = "", ...params } = request.params as Record<string, string>;
  const organization = canonicalId(sent);
  const { who } = resource;
  const isOf = organizationIn(resource);
  // One that does not exist gets the same answer as one of others.
  if (isOf && !(await organizations.has(organization))) throw new PlatformError(refusedTo(who));
  if (!isAllowed(who, person, isOf ? organization : undefined)) throw new PlatformError(refusedTo(who));
  const query = Object.fromEntries(
    Object.entries(exchange.query).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  return { organization, params, query, person, body: undefined, isEnglish: isEnglish(exchange) };
}

/** A role may have ended while the change waited for its turn. */
async function assertStill(
  { clientOf }: PlatformDependencies,
  resource: Resource,
  { organization }: Call,
  request: Request,
): Promise<void> {
  const person = (await clientOf(request))?.person;
  if (!person) throw new PlatformError("unauthorized");
  if (!isAllowed(resource.who, person, organizationIn(resource) ? organization : undefined))
    throw new PlatformError(refusedTo(resource.who));
}

const refusedTo = (who: Who) => (who === "operator" ? "notOperator" : "notAllowed");

function isAllowed(who: Who, person: SignedIn, organization: string | undefined): boolean {
  if (person.isOperator) return true;
  if (who === "operator") return false;
  if (organization === undefined) return who === "person";
  const role = roleIn(person, organization);
  return who === "admin" ? role === "admin" : role !== undefined;
}

const tagOf = (thing: object): string => `"${createHash("sha256").update(JSON.stringify(thing)).digest("base64url")}"`;

function withTag({ response }: Exchange, thing: object): object {
  response.setHeader("ETag", tagOf(thing));
  return thing;
}

/** Makes a change, between its two lines of the log. */
async function changed(
  { audit }: PlatformDependencies,
  { read }: Resource,
  change: Change,
  call: Call,
  request: Request,
): Promise<object> {
  const organization = call.organization || PLATFORM;
  const before = request.method === "POST" ? undefined : await present(read, call, request);
  const key = request.method === "POST" ? keyOf(request, call.person) : undefined;
  const known = key === undefined ? [] : await audit.entries(organization);
  const earlier = known.findLast((one) => one.key === key && isOfToday(one.at));
  if (earlier?.outcome === "done") return { ...(earlier.result as object), isRepeated: true };
  if (earlier && earlier.outcome === undefined) throw new PlatformError("interrupted");
  const after = change.logged ? await change.logged(call.body, call) : call.body;
  const described = {
    organization,
    what: change.what,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined && Object.keys(call.params).length === 0
      ? {}
      : { after: { ...call.params, ...(after as object) } }),
    ...(key ? { key } : {}),
  };
  const author = { person: call.person.email };
  const result = await audit.run(
    author,
    described,
    () => change.run(before ? { ...call, before } : call),
    (made) => without(made, change.secrets),
  );
  const now = request.method === "PUT" && read ? await read(call) : undefined;
  if (now) request.res?.setHeader("ETag", tagOf(now));
  return result;
}

/** What is replaced or removed. Fails if it is no longer what the page has seen. */
async function present(read: Resource["read"], call: Call, request: Request): Promise<object> {
  const sent = headerOf(request, "if-match");
  if (sent === "") throw new PlatformError("tagMissing");
  const thing = (await read?.(call)) ?? {};
  if (sent !== tagOf(thing)) {
    request.res?.setHeader("ETag", tagOf(thing));
    throw new PlatformError("changed", { present: thing });
  }
  return thing;
}

/** The key of a request, for one person. */
function keyOf(request: Request, { email }: SignedIn): string {
  const sent = headerOf(request, "idempotency-key");
  if (!/^[\w-]{8,64}$/.test(sent)) throw new PlatformError("keyMissing");
  return createHash("sha256").update(`${email} ${request.originalUrl} ${sent}`).digest("hex");
}

const isOfToday = (at: string): boolean => Date.now() - Date.parse(at) < DAY_MS;

const without = (result: object, secrets: readonly string[] = []): object =>
  Object.fromEntries(Object.entries(result).filter(([name]) => !secrets.includes(name)));
