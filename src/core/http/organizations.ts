import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Verified } from "../access/credentials.ts";
import {
  type Answers,
  type DataState,
  type OrganizationsEndpoint,
  ROOT,
  type SqlEndpoint,
} from "../contract/endpoint.ts";
import { ApiError } from "../contract/error.ts";
import { organizationId } from "../contract/param.ts";
import { CONNECTOR_KINDS } from "../contract/record.ts";
import type { Integration, Organization } from "../contract/settings.ts";
import { validate } from "../params/validate.ts";
import { addVary, sendCompressible, sendUnchanged } from "./body.ts";
import { isFresh, tagged } from "./cache.ts";
import type { Exchange } from "./exchange.ts";
import { formatOf, setType } from "./formats.ts";
import type { Caller, EndpointHandler } from "./handler.ts";

/** How many of the credentials' organizations are read at once. */
const AT_ONCE = 4;
/** How long the list waits for an organization whose data are being derived or repaired. */
const WAIT_MS = 1_000;

export interface OrganizationListParts {
  readonly answers: Pick<Answers, "dataState">;
  readonly organizations: { settings(id: string): Promise<Organization | undefined> };
  readonly now: () => Date;
  readonly log: Logger;
}

/** The list of the organizations that credentials may read [D58]. */
export class OrganizationList {
  readonly #deps: OrganizationListParts;
  readonly #handler: EndpointHandler;

  constructor(deps: OrganizationListParts, handler: EndpointHandler) {
    this.#deps = deps;
    this.#handler = handler;
  }

  async answer(exchange: Exchange, endpoint: OrganizationsEndpoint, client: Verified): Promise<void> {
    const { request, response } = exchange;
    const accepted = validate(endpoint, exchange.sent, this.#deps.now());
    addVary(exchange, "Accept");
    const format = formatOf(request, endpoint, accepted);
    let hangUp: AbortSignal | undefined;
    const leaveOf = (): AbortSignal => {
      hangUp ??= this.#handler.hangUpOf(exchange);
      return hangUp;
    };
    const { id, timing } = exchange;
    const { body, etag } = await tagged(await this.text(endpoint, client, { id, timing, leaveOf }));
    response.setHeader("ETag", etag);
    if (isFresh(request.headers["if-none-match"], etag)) return sendUnchanged(exchange);
    setType(response, { endpoint, format });
    await sendCompressible(exchange, body);
  }

  /** The answer as JSON text. An organization that does not exist any more is left out. */
  async text(endpoint: OrganizationsEndpoint, client: Verified, caller: Caller): Promise<string> {
    const known = await this.#known(client);
    const states = await Promise.all(known.map((settings) => this.#stateOf(settings)));
    const entry = organizationEntryOf(endpoint);
    const entries = await atOnce(AT_ONCE, known, async (settings, no) => {
      const state = states[no];
      const principal = { clientId: client.clientId, organizationId: settings.organizationId };
      const read = state && (await this.#orNothing(settings, this.#handler.ask(entry, {}, principal, caller, state)));
      return entryText(settings, read?.body.toString());
    });
    return `{"data":[${entries.join(",")}]}`;
  }

  /** Only what the settings say. */
  async names(client: Verified): Promise<{ readonly id: string; readonly name: string }[]> {
    return (await this.#known(client)).map(({ organizationId, name }) => ({ id: organizationId, name }));
  }

  async #known({ organizations }: Verified): Promise<Organization[]> {
    const found = await Promise.all([...new Set(organizations)].map((id) => this.#deps.organizations.settings(id)));
    return found.filter((settings) => settings !== undefined).sort(byName);
  }

  /** Undefined for an organization without data that can be read now. */
  #stateOf(settings: Organization): Promise<DataState | undefined> {
    const state = this.#deps.answers.dataState(settings.organizationId);
    return this.#orNothing(settings, atMost(WAIT_MS, state));
  }

  /** Returns undefined if the reading fails, so that the other organizations are listed. */
  async #orNothing<T>({ organizationId }: Organization, reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof ApiError && ["busy", "timeout"].includes(error.kind)) throw error;
      if (!(error instanceof ApiError)) {
        this.#deps.log.error({ organization: organizationId, err: error }, "an organization could not be listed");
      }
      return undefined;
    }
  }
}

const byName = (a: Organization, b: Organization): number =>
  compared(a.name, b.name) || compared(a.organizationId, b.organizationId);

/** The same order on every machine. */
const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The endpoint that reads one organization. */
export const organizationEntryOf = ({ path, summary, cacheSeconds, entry }: OrganizationsEndpoint): SqlEndpoint => ({
  path,
  summary,
  params: { organizationId },
  unknown: "refused",
  cacheSeconds,
  parts: { [ROOT]: entry },
});

function entryText(settings: Organization, read: string | undefined): string {
  const { organizationId: id, name } = settings;
  const state = read === undefined ? "preparing" : "ready";
  const { locale = "pt-BR" } = settings;
  const head = JSON.stringify({ id, name, state, targets: targetsOf(settings), locale, notes: notesOf(settings) });
  return `${head.slice(0, -1)},${(read ?? JSON.stringify(unread(settings))).slice(1)}`;
}

const targetsOf = ({ targets = {} }: Organization) => ({
  cac: targets.cac ?? null,
  ltvCacRatio: targets.ltvCacRatio ?? null,
  margin: targets.margin ?? null,
  revenue: targets.revenue ?? null,
  contribution3: targets.contribution3 ?? null,
  profit: targets.profit ?? null,
});

const notesOf = ({ notes = [] }: Organization) =>
  notes.map(({ from, until, text, sale = false }) => ({ from, until: until ?? null, text, sale }));

/** The entry of an organization whose data cannot be read, from its settings. */
const unread = ({ currency, integrations = [] }: Organization) => ({
  currency: currency ?? null,
  timezones: [...new Set(integrations.filter(isStore).map(timezoneOf))].sort(),
  firstDay: null,
  lastDay: null,
  asOf: null,
  connectors: integrations.map(({ id, connector, name, timezone }) => ({
    integrationId: id,
    connector,
    name: name ?? null,
    timezone: timezoneOf({ timezone }),
    newestDay: null,
    lastLandedAt: null,
  })),
});

const isStore = ({ connector }: Integration): boolean => CONNECTOR_KINDS[connector] === "store";
const timezoneOf = ({ timezone }: { readonly timezone?: string | undefined }): string => timezone ?? "UTC";

/** Works through a list, so many at once; the results are in its order. Ends with the first failure. */
async function atOnce<T, R>(most: number, all: readonly T[], work: (one: T, no: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = all.entries();
  const worker = async (): Promise<void> => {
    for (const [no, one] of left) results[no] = await work(one, no);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}

/** The result, or undefined after the given time. */
async function atMost<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const ended = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: ended.signal }).catch(() => undefined);
  promise.catch(() => {});
  return Promise.race([promise, late]).finally(() => ended.abort());
}
