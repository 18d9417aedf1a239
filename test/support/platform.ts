import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import request, { type Test } from "supertest";
import type { Data } from "../../src/commands/serve/data.ts";
import { openSignIn } from "../../src/commands/serve/platform.ts";
import { Credentials } from "../../src/core/access/credentials.ts";
import { LastUses } from "../../src/core/access/lastUses.ts";
import { Audit, type AuditEntry } from "../../src/core/audit/audit.ts";
import type { Database } from "../../src/core/engine/database.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { Storage } from "../../src/core/files/storage.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { StateStore } from "../../src/core/marts/stateStore.ts";
import { openOrganizations } from "../../src/core/organizations/open.ts";
import { Children } from "../../src/core/processes/children.ts";
import { DataQuality } from "../../src/features/doctor/quality.ts";
import { Links } from "../../src/features/links/links.ts";
import { People, type Role } from "../../src/features/people/people.ts";
import { AURORA, type DataFolder } from "./data.ts";
import { openService, type Service } from "./service.ts";

/** A person's page: the requests that it sends, below `/platform`. */
export interface Page {
  get(address: string): Test;
  /** With the tag that `get` gave, unless another one is given. */
  put(address: string, body: object, tag?: string): Promise<request.Response>;
  remove(address: string, tag?: string): Promise<request.Response>;
  post(address: string, body: object, key?: string): Test;
}

/** The service of a data folder with what people do, composed as by `lucra serve`. */
export interface PlatformService {
  readonly service: Service;
  readonly credentials: Credentials;
  readonly lastUses: LastUses;
  readonly audit: Audit;
  /** Signs a person in who has this role in the organization. */
  as(role: Role | "operator", organization?: string, signedInAt?: string): Promise<Page>;
  /** The newest line of an organization's log. */
  last(organization?: string): Promise<AuditEntry | undefined>;
  close(): Promise<void>;
}

export async function openPlatformService(data: DataFolder): Promise<PlatformService> {
  const { config } = data;
  const dataDir = data.path;
  const organizations = openOrganizations(dataDir, () => {});
  const credentials = new Credentials(dataDir);
  const lastUses = new LastUses(dataDir, true);
  const generations = {
    current: async (id: string) => {
      const found = await currentGeneration(foldersOf(dataDir, id));
      if (!found) throw new Error(`nothing is derived for ${id}`);
      return found;
    },
    recheck: async () => false,
  };
  let service: Service;
  const database = {
    useUntil: (...args: Parameters<Database["useUntil"]>) => service.database.useUntil(...args),
  } as Database;
  const children = new Children(dataDir);
  const parts = {
    storage: new Storage(dataDir),
    organizations,
    settingsOf: async (id: string) => (await organizations.get(id))?.settings,
    states: new StateStore(dataDir, { bytes: 1e9, onFailure: () => {} }),
    generations,
    stateChildren: children,
  };
  const quality = new DataQuality({ dataDir, database, generations, now: config.now });
  const log = pino({ level: "silent" });
  const { sessions, platform } = openSignIn({ config, log, readOnly: false }, {
    data: parts as unknown as Data,
    engine: { database, quality },
    answers: { dataState: async () => ({ version: "1" }) },
    organizations: { settings: parts.settingsOf },
    now: config.now,
    log,
    credentials,
    lastUses,
    links: new Links(dataDir),
    kept: () => () => {},
  } as Parameters<typeof openSignIn>[1]);
  service = await openService(config, AURORA, { sessions, platform });
  const people = new People(dataDir);
  const audit = new Audit(dataDir);
  return {
    service,
    credentials,
    lastUses,
    audit,
    as: async (role, organization = AURORA, signedInAt = undefined) => {
      const email = `${role}-${randomUUID()}@example.com`;
      const given =
        role === "operator"
          ? { organizations: [], role: "viewer" as const, operator: true }
          : { organizations: [organization], role };
      await people.add(email, given);
      const { token } = await sessions.startOf({ person: email }, "test");
      if (signedInAt !== undefined) {
        const kept = JSON.parse(await data.text("sessions.json"));
        kept.sessions.at(-1).createdAt = signedInAt;
        await data.write("sessions.json", JSON.stringify(kept));
      }
      // What another process has written is known after half a second.
      await sleep(600);
      return pageOf(service, token);
    },
    last: async (organization = AURORA) => (await audit.entries(organization)).at(-1),
    close: async () => {
      await Promise.all([children.stop(), quality.stop(), platform?.stop()]);
      await service.close();
    },
  };
}

const HOST = "localhost:3000";

function pageOf(service: Service, token: string): Page {
  const sent = (test: Test): Test =>
    test
      .set("host", HOST)
      .set("cookie", `lucra_session=${token}`)
      .set("x-lucra-page", "1")
      .set("accept-language", "en");
  const changing = (test: Test): Test => sent(test).set("origin", `http://${HOST}`).type("application/json");
  const get = (address: string): Test => sent(request(service.app).get(`/platform${address}`));
  const tagOf = async (address: string): Promise<string> => String((await get(address)).headers.etag);
  return {
    get,
    put: async (address, body, tag) =>
      changing(request(service.app).put(`/platform${address}`))
        .set("if-match", tag ?? (await tagOf(address)))
        .send(body),
    remove: async (address, tag) =>
      changing(request(service.app).delete(`/platform${address}`)).set("if-match", tag ?? (await tagOf(address))),
    post: (address, body, key = randomUUID()) =>
      changing(request(service.app).post(`/platform${address}`))
        .set("idempotency-key", key)
        .send(body),
  };
}
