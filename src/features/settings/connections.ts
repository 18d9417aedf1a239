import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { Integration, Organization, PullSettings } from "../../core/contract/settings.ts";
import { CONNECTOR_NAMES, connectorNamed, VENDORS } from "../../core/contract/vendor.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import type { Edit } from "../../core/organizations/edit.ts";
import { readOrganization } from "../../core/organizations/settings.ts";
import { exportedBy } from "../../core/records/index.ts";
import { PlatformError, refused } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import { pulledRecords } from "../pull/accounts.ts";
import { canBePulled, pullOf } from "../pull/connectors/index.ts";
import { noteEnteredFor } from "../pull/secrets.ts";
import { arrivals } from "./arrivals.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { assertSeen, settingsNow, type Written, writeSettings } from "./file.ts";
import { REMOVED, type Removal, removedConnections } from "./removed.ts";
import { scheduleWords } from "./scheduleWords.ts";
import { bodyOf, NAME } from "./schemas.ts";

const TEXT = { type: "string", minLength: 1, maxLength: 200 } as const;
const OR_NULL = (schema: object): object => ({ anyOf: [{ type: "null" }, schema] });
const PULL = {
  type: "object",
  additionalProperties: false,
  required: ["since"],
  properties: {
    since: TEXT,
    records: { type: "array", items: TEXT, minItems: 1, maxItems: 50 },
    account: { type: "object", additionalProperties: TEXT },
  },
};
const FIELDS = {
  name: OR_NULL(NAME),
  timezone: OR_NULL(TEXT),
  schedule: OR_NULL(TEXT),
  pull: OR_NULL(PULL),
  stores: OR_NULL({ type: "array", items: TEXT, minItems: 1, maxItems: 100 }),
};

const OF_OPERATOR = {
  pt: "O endereço do fornecedor está no arquivo de configurações: quem cuida do servidor precisa tirá-lo antes.",
  en: "The vendor's address is in the settings file: whoever operates the server has to take it out first.",
};

type Wanted = { readonly connector: string } & Partial<Fields>;
interface Fields {
  readonly name: string | null;
  readonly timezone: string | null;
  readonly schedule: string | null;
  readonly pull: Omit<PullSettings, "baseUrl" | "tokenUrl"> | null;
  /** Of an ad account: the stores that it spends for [D86]. Without it they stay. */
  readonly stores?: readonly string[] | null;
}

/**
 * `GET …/connections` → `{data: [{integration, vendor, records, scheduleWords, canBePulled, account, isRemoved, …}]}`: `integration` is what
 * `PUT` replaces, and has `id` and `connector` too; `records` the names of what it exports; `pullable` those of them that can be pulled;
 * `account` the vendor's names of an account, `{name: {required, expected}}`. Of those in the settings `arrived` has `lastLandedAt`,
 * `lastSync`, and of each record `lastLandedAt`, `newestDay`, `files`, `waiting`, `rows`, `rejected`, and `missing` the records without files; both
 * null while the data cannot be examined. Removed ones come last.
 *
 * `POST` `{connector, name?, timezone?, schedule?, pull?, stores?}` adds one; `{id}` puts a removed one back. → `{integration}`.
 *
 * `GET …/connections/:integration` → `{integration, isRemoved}`. `PUT` `{name, timezone, schedule, pull, stores?}`, each null if
 * absent; `pull` is `{since, records?, account?}`, `stores` of an ad account the ids of those that it spends for. `DELETE` takes it out of the settings; its data stay, and count again once it is put back.
 */
export const connectionResources = (deps: SettingsDependencies): Resource[] => [
  {
    path: "/platform/organizations/:organization/connections",
    who: "admin",
    read: (call) => list(deps, call),
    add: {
      what: "connections.add",
      body: {
        oneOf: [
          bodyOf({ connector: { enum: CONNECTOR_NAMES }, ...FIELDS }, Object.keys(FIELDS)),
          bodyOf({ id: { type: "string", maxLength: 36 } }),
        ],
      },
      run: (call: Call<Wanted | { readonly id: string }>) => add(deps, call),
    },
  },
  {
    path: "/platform/organizations/:organization/connections/:integration",
    who: "admin",
    read: async ({ organization, params }) => connection(deps, organization, params.integration),
    replace: {
      what: "connections.change",
      body: bodyOf(FIELDS, ["stores"]),
      run: (call: Call<Fields>) => change(deps, call),
    },
    remove: { what: REMOVED, run: (call) => remove(deps, call) },
  },
];

async function list(deps: SettingsDependencies, { organization, isEnglish }: Call): Promise<object> {
  const settings = await settingsNow(deps, organization);
  const arrived = await arrivals(deps, settings);
  const of = (integration: Integration, isRemoved: boolean): object => ({
    ...described(integration, isEnglish),
    isRemoved,
    ...(isRemoved ? {} : { arrived: arrived?.get(integration.id) ?? null }),
  });
  const { integrations = [] } = settings;
  const removed = await removedConnections(deps, settings);
  return { data: [...integrations.map((one) => of(one, false)), ...removed.map((one) => of(one, true))] };
}

function described(integration: Integration, isEnglish: boolean): object {
  const { connector, schedule, pull } = integration;
  const pulled = canBePulled(connector) ? pullOf(connector) : undefined;
  const account = Object.entries(pulled?.account ?? {}).map(([name, { required, expected }]) => [
    name,
    { required, expected },
  ]);
  return {
    integration: shown(integration),
    vendor: VENDORS[connector].name,
    records: exportedBy(connector).map(({ name }) => name),
    scheduleWords: schedule === undefined ? null : (scheduleWords(schedule, isEnglish) ?? null),
    canBePulled: pulled !== undefined,
    pullable: pulled ? Object.keys(pulled.records) : [],
    pulled: pulled && pull ? pulledRecords({ connector, pull }) : [],
    account: Object.fromEntries(account),
  };
}

/** A connection without what is the operator's alone. */
export const shown = ({ id, connector, name, timezone, schedule, pull, stores }: Integration) => ({
  id,
  connector,
  name: name ?? null,
  timezone: timezone ?? null,
  schedule: schedule ?? null,
  pull: pull ? { since: pull.since, records: pull.records ?? null, account: pull.account ?? {} } : null,
  stores: stores ?? null,
});

/** One in the settings, or a removed one. */
async function connection(deps: SettingsDependencies, organization: string, id: string | undefined) {
  const settings = await settingsNow(deps, organization);
  const present = settings.integrations?.find((one) => one.id === id);
  const found = present ?? (await removedConnections(deps, settings)).find((one) => one.id === id);
  if (!found) throw new PlatformError("notFound");
  return { integration: shown(found), isRemoved: present === undefined };
}

async function add(deps: SettingsDependencies, call: Call<Wanted | { readonly id: string }>): Promise<object> {
  const { organization, body } = call;
  const added = "id" in body ? await putBack(deps, organization, body.id) : newConnection(body);
  const settings = await writeSettings(deps, organization, ({ integrations }) =>
    Array.isArray(integrations)
      ? [{ place: ["integrations", integrations.length], value: added }]
      : [{ place: ["integrations"], value: [added] }],
  );
  const folders = foldersOf(deps.config.dataDir, organization);
  for (const { name } of exportedBy(added.connector)) await mkdir(folders.exports(added.id, name), { recursive: true });
  return { integration: shown(settings.integrations?.find(({ id }) => id === added.id) ?? added) };
}

function newConnection({ connector, name, timezone, schedule, pull, stores }: Wanted): Integration {
  const fields = { name: name?.trim(), timezone, schedule, pull, stores };
  const sent = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const known = connectorNamed(connector) as Integration["connector"];
  return { id: randomUUID(), connector: known, ...Object.fromEntries(sent) };
}

async function putBack(deps: SettingsDependencies, organization: string, id: string): Promise<Integration> {
  const removed = await removedConnections(deps, await settingsNow(deps, organization));
  const found = removed.find((one) => one.id === id);
  if (!found) throw new PlatformError("notFound");
  return found;
}

async function change(deps: SettingsDependencies, call: Call<Fields>): Promise<object> {
  const { organization, params, body } = call;
  const settings = await settingsNow(deps, organization);
  const present = settings.integrations?.find(({ id }) => id === params.integration);
  if (!present) throw new PlatformError("notFound");
  if (body.pull === null && (present.pull?.baseUrl ?? present.pull?.tokenUrl) !== undefined)
    throw refused("conflict", "pull", OF_OPERATOR);
  // Keys are sent to the account that they were entered for, and nowhere else.
  await noteEnteredFor(foldersOf(deps.config.dataDir, organization), present);
  await writeSettings(deps, organization, (written) => {
    const { integration, place } = placeOf(call, written);
    return editsOf(integration, body).map(({ place: below, value }) => ({ place: [...place, ...below], value }));
  });
  return connection(deps, organization, params.integration);
}

/** The members that differ. `pull` keeps what is the operator's. */
function editsOf(present: Integration, { name, timezone, schedule, pull, stores }: Fields): Edit[] {
  const { since, records, account } = pull ?? {};
  const edits: Edit[] = [
    { place: ["name"], value: name?.trim() },
    { place: ["timezone"], value: timezone ?? undefined },
    { place: ["schedule"], value: schedule ?? undefined },
    ...(pull
      ? [
          { place: ["pull", "since"], value: since },
          { place: ["pull", "records"], value: records },
          { place: ["pull", "account"], value: Object.keys(account ?? {}).length > 0 ? account : undefined },
        ]
      : [{ place: ["pull"], value: undefined }]),
    ...(stores === undefined ? [] : [{ place: ["stores"], value: stores ?? undefined }]),
  ];
  const at = (place: Edit["place"]): unknown =>
    place.reduce<unknown>((value, key) => (value as Written | undefined)?.[String(key)], present);
  return edits.filter(({ place, value }) => JSON.stringify(at(place)) !== JSON.stringify(value));
}

async function remove(deps: SettingsDependencies, call: Call): Promise<Removal> {
  let removed: Integration | undefined;
  await writeSettings(deps, call.organization, (written) => {
    const { integration, place } = placeOf(call, written);
    removed = integration;
    return [{ place, value: undefined }];
  });
  if (!removed) throw new PlatformError("notFound");
  return { removed };
}

/** Where the file has the connection now. Fails with `changed` unless it is the one that the page has seen. */
function placeOf(
  { organization, params, before }: Call,
  written: Written,
): { readonly integration: Integration; readonly place: Edit["place"] } {
  const { settings } = readOrganization(JSON.stringify(written), organization);
  const { integrations = [] } = settings as Organization;
  const at = integrations.findIndex(({ id }) => id === params.integration);
  const integration = integrations[at];
  if (!integration) throw new PlatformError("notFound");
  assertSeen(before, { integration: shown(integration), isRemoved: false });
  return { integration, place: ["integrations", at] };
}
