import { DAY_MS } from "../../../core/time/days.ts";
import {
  type Answer,
  type Page,
  type PullDeclaration,
  PullError,
  type Session,
  type Verdict,
  type Window,
} from "../declaration.ts";
import { ListProgress } from "../progress.ts";
import { usualVerdict } from "../verdict.ts";

const PER_PAGE = 100;
const SEARCHED_PER_PAGE = 200;
const OBJECTS_PER_FILE = 2000;

/** A kind of objects: only the properties that are asked for are in the answers. */
interface Kind {
  readonly name: string;
  readonly properties: readonly string[];
  /** The property with the time of the last change. */
  readonly modified: string;
}

const CONTACTS: Kind = {
  name: "contacts",
  modified: "lastmodifieddate",
  properties: [
    "email",
    "associatedcompanyid",
    "hs_analytics_source",
    "hs_analytics_source_data_1",
    "hs_analytics_source_data_2",
    "hs_latest_source_data_1",
    "hs_latest_source_data_2",
    "hs_latest_source_timestamp",
    "lifecyclestage",
    "closedate",
    "createdate",
    "first_deal_created_date",
    "lastmodifieddate",
  ],
};

const PRODUCTS: Kind = {
  name: "products",
  modified: "hs_lastmodifieddate",
  properties: ["name", "hs_sku", "price", "createdate", "hs_lastmodifieddate"],
};

interface Thing {
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Listed {
  readonly results: readonly Thing[];
  readonly paging?: { readonly next?: { readonly after: string } };
}

/** Behind which object the list goes on. */
interface Progress {
  readonly isArchived: boolean;
  readonly after: string;
}

export const hubspot: PullDeclaration = {
  connector: "crm",
  account: {},
  secrets: [
    { keys: ["accessToken"] },
    { keys: ["clientId", "clientSecret", "refreshToken"], token: { by: "refresh" } },
  ],
  baseUrl: () => "https://api.hubapi.com",
  tokenUrl: "https://api.hubapi.com/oauth/v1/token",
  concurrent: 2,
  // Two fifths of the smallest limit of a day.
  budget: 100_000,
  // The smallest limits of the vendor's plans are 100 in ten seconds, and 4 searches a second.
  paces: { all: { requests: 90, perMs: 10_000 }, search: { requests: 4, perMs: 1100 } },
  headers: ({ accessToken }, _, token) => ({ Authorization: `Bearer ${token ?? accessToken}` }),
  judge,
  check: async (session) => {
    await session.get("crm/v3/objects/contacts", { query: { limit: 1 } });
    return "";
  },
  records: {
    contacts: { mode: "changes", pages: (session, window) => objectPages(session, window, CONTACTS) },
    products: { mode: "changes", pages: (session, window) => objectPages(session, window, PRODUCTS) },
    pipelines: { mode: "whole", pages: pipelinePages },
  },
};

/** How long a limit lasts is in other headers than usual, or only in its name. */
function judge(answer: Answer): Verdict {
  const verdict = usualVerdict(answer);
  if (verdict.is !== "throttled" || verdict.waitMs !== undefined) return verdict;
  const policy = (answer.body as { policyName?: string } | undefined)?.policyName;
  // It ends at midnight in the account's time zone, which the answer does not name.
  if (policy === "DAILY") return { ...verdict, waitMs: DAY_MS };
  if (policy === "SECONDLY") return { ...verdict, waitMs: 1000 };
  const interval = Number(answer.headers.get("x-hubspot-ratelimit-interval-milliseconds"));
  return { ...verdict, waitMs: interval > 0 ? interval : 10_000 };
}

/**
 * All objects at first, whenever they were made; later those that have changed, by search, which finds no archived ones:
 * these are listed each time.
 */
async function* objectPages(session: Session, window: Window, kind: Kind): AsyncGenerator<Page> {
  const resumed = window.resume as Progress | undefined;
  // Objects that change while they are listed are found by the next pull's search.
  const until = await newestMade(session, kind);
  if (until !== undefined) yield { until };
  if (!resumed?.isArchived) {
    if (window.first) yield* listed(session, kind, false, resumed?.after);
    else yield* searched(session, kind, window.fromInstant);
  }
  yield* listed(session, kind, true, resumed?.isArchived ? resumed.after || undefined : undefined);
}

/** The list goes on behind an id: what is made or vanishes meanwhile moves nothing. */
async function* listed(
  session: Session,
  { name, properties }: Kind,
  isArchived: boolean,
  begin: string | undefined,
): AsyncGenerator<Page> {
  let objects: Thing[] = [];
  let after = begin;
  let before = new Set<string>();
  const progress = new ListProgress(name);
  do {
    const { body } = await session.get<Listed>(`crm/v3/objects/${name}`, {
      query: { limit: PER_PAGE, properties: properties.join(","), archived: isArchived, after },
    });
    // A page may begin with the last object of the page before.
    objects.push(...body.results.filter(({ id }) => !before.has(id)));
    before = new Set(body.results.map(({ id }) => id));
    const next = body.paging?.next?.after;
    if (next !== undefined) progress.next(next, body.results.length);
    after = next;
    if (objects.length >= OBJECTS_PER_FILE && after !== undefined) {
      yield { objects, envelope: "results", resume: { isArchived, after } satisfies Progress };
      objects = [];
    }
  } while (after !== undefined);
  if (objects.length > 0)
    yield { objects, envelope: "results", resume: { isArchived: true, after: "" } satisfies Progress };
}

interface Filter {
  readonly propertyName: string;
  readonly operator: "GTE" | "GT" | "EQ";
  readonly value: string;
}

/**
 * What has changed since an instant, oldest first. A search answers 10,000 objects at most, and objects that change move
 * between its pages: each request begins at the last change of the one before.
 */
async function* searched(session: Session, kind: Kind, from: string): AsyncGenerator<Page> {
  const search = (filters: readonly Filter[], sort: string) => searchOf(session, kind, filters, sort);
  const changedAt = ({ properties, updatedAt }: Thing): number => Date.parse(properties[kind.modified] ?? updatedAt);
  let at = Date.parse(from);
  let operator: "GTE" | "GT" = "GTE";
  let seen = new Set<string>();
  let objects: Thing[] = [];
  for (;;) {
    const { results, paging } = await search(
      [{ propertyName: kind.modified, operator, value: String(at) }],
      kind.modified,
    );
    objects.push(...results.filter((thing) => !seen.has(keyOf(thing))));
    const last = results.at(-1);
    if (paging?.next === undefined || !last) break;
    seen = new Set(results.map(keyOf));
    const wasBehind = operator === "GT";
    operator = "GTE";
    if (changedAt(last) > at) at = changedAt(last);
    else if (wasBehind) throw new PullError("transient", `the search of ${kind.name} does not go on`);
    else {
      // More objects of one instant than a page holds, as after an import.
      objects.push(...(await ofInstant(search, kind, at)));
      operator = "GT";
    }
    if (objects.length < OBJECTS_PER_FILE) continue;
    yield { objects, envelope: "results" };
    objects = [];
  }
  if (objects.length > 0) yield { objects, envelope: "results" };
}

const keyOf = ({ id, updatedAt }: Thing): string => `${id} ${updatedAt}`;

async function ofInstant(
  search: (filters: readonly Filter[], sort: string) => Promise<Listed>,
  kind: Kind,
  at: number,
): Promise<Thing[]> {
  const objects: Thing[] = [];
  for (let after = "0"; ; ) {
    const { results, paging } = await search(
      [
        { propertyName: kind.modified, operator: "EQ", value: String(at) },
        { propertyName: "hs_object_id", operator: "GT", value: after },
      ],
      "hs_object_id",
    );
    objects.push(...results);
    const last = results.at(-1)?.id;
    if (last === undefined || paging?.next === undefined) return objects;
    if (Number(last) <= Number(after)) throw new PullError("transient", `the search of ${kind.name} does not go on`);
    after = last;
  }
}

async function searchOf(session: Session, kind: Kind, filters: readonly Filter[], sort: string): Promise<Listed> {
  const { body } = await session.post<Listed>(
    `crm/v3/objects/${kind.name}/search`,
    {
      filterGroups: [{ filters }],
      sorts: [{ propertyName: sort, direction: "ASCENDING" }],
      properties: kind.properties,
      limit: SEARCHED_PER_PAGE,
    },
    { paces: ["search"] },
  );
  return body;
}

/** When the newest object was made: changes until then are in the answers that follow. */
async function newestMade(session: Session, { name }: Kind): Promise<string | undefined> {
  const { body } = await session.post<Listed>(
    `crm/v3/objects/${name}/search`,
    { sorts: [{ propertyName: "createdate", direction: "DESCENDING" }], properties: ["createdate"], limit: 1 },
    { paces: ["search"] },
  );
  const newest = body.results[0];
  return newest && new Date(newest.properties.createdate ?? newest.createdAt).toISOString();
}

async function* pipelinePages(session: Session): AsyncGenerator<Page> {
  for (const of of ["deals", "tickets"]) {
    const { body } = await session.get<{ results: readonly unknown[] }>(`crm/v3/pipelines/${of}`);
    yield { objects: body.results, envelope: "results" };
  }
}
