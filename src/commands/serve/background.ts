import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { Audit } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { foldersOf, type OrganizationFolders } from "../../core/files/organizationFolders.ts";
import type { Metrics } from "../../core/http/metrics.ts";
import { LandingWatch } from "../../core/landing/ledger/landed.ts";
import { hasUnseen, inLogTurn, logEdits } from "../../core/organizations/seen.ts";
import { SettingsWatch } from "../../core/organizations/watch.ts";
import { JobQueue } from "../../core/schedule/jobQueue.ts";
import { Schedule } from "../../core/schedule/schedule.ts";
import { syncInChild } from "../../core/schedule/syncInChild.ts";
import { sharedQueue } from "../../features/cluster/sharedQueue.ts";
import { stateRun } from "../../features/cluster/stateJobs.ts";
import { MonthlyPins, pinMonthInChild } from "../../features/pins/monthly.ts";
import { WebhookDeliveries } from "../../features/webhooks/deliveries.ts";
import { Networks } from "../../features/webhooks/networks.ts";
import type { Data } from "./data.ts";
import type { Base, Running } from "./part.ts";

/** Background work of the service: the schedule, deliveries to webhooks, a look at the settings. */
export interface Background {
  readonly schedule: Schedule;
  /** From now on changed settings are noticed. */
  watch(): Promise<void>;
  /** From now on what is due is landed and delivered. */
  begin(): Promise<void>;
}

export async function startBackground(
  { config, log, readOnly }: Base,
  { organizations, allSettings, children, stateChildren, generations, states }: Data,
  metrics: Metrics,
): Promise<Running<Background>> {
  const { jobs } = coordinationOf(config.dataDir);
  const queue = jobs ? sharedQueue(jobs, log) : new JobQueue(syncInChild(children, config, log));
  const schedule = new Schedule({ organizations: allSettings, queue, log });
  const webhooks = new WebhookDeliveries(
    {
      dataDir: config.dataDir,
      networks: new Networks(config.webhookNetworks),
      onAttempt: ({ outcome, ...delivery }) => {
        metrics.webhooks.inc({ organization: delivery.organization, outcome });
        log[outcome === "delivered" ? "info" : "warn"]({ ...delivery, outcome }, "webhook");
      },
    },
    (organization, error) => log.error({ organization, err: error }, "could not deliver to the webhook"),
  );
  const months = new MonthlyPins({
    dataDir: config.dataDir,
    organizations: allSettings,
    now: config.now,
    pin: pinMonthInChild(stateChildren),
    onPinned: (month) => log.info(month, "pinned"),
    onFailure: (organization, error) => log.error({ organization, err: error }, "could not pin a month"),
  });
  const noteEdits = editsNoted(config, log);
  const settings = new SettingsWatch(
    organizations,
    async (changed) => {
      await schedule.look();
      if (!readOnly) webhooks.look(await allSettings());
      if (!readOnly && hasBegun) void months.look();
      if (!readOnly) void noteEdits(changed);
      for (const organization of changed) await generations.settingsChanged(organization);
    },
    (error) => log.error({ err: error }, "could not apply changed settings"),
  );
  const lake = new LandingWatch(config.dataDir);
  metrics.watchLandings(async () => lake.read(await allSettings(), config.now()), log);
  const onFailure = (error: unknown): void => log.error({ err: error }, "jobs");
  const asked = readOnly
    ? undefined
    : await jobs?.work(
        { states: stateRun(config, stateChildren) },
        { atOnce: 1, limitMs: config.syncTimeoutMs, onFailure },
      );
  let ending: Promise<unknown> | undefined;
  let hasBegun = false;
  return {
    value: {
      schedule,
      watch: async () => {
        if (!ending) await settings.start();
        // What was edited while no service ran.
        if (!readOnly && !ending) void noteEdits(await organizations.ids());
      },
      begin: async () => {
        if (!readOnly && !ending) await schedule.start();
        if (!readOnly) webhooks.look(await allSettings());
        if (!readOnly && !ending) months.start();
        if (!readOnly) void states.derivePins(await organizations.ids());
        hasBegun = true;
      },
    },
    leave: () => {
      settings.stop();
      ending = Promise.all([schedule.stop(), children.stop(), webhooks.stop(), months.stop(), asked?.stop()]);
      // `stop` reports it.
      ending.catch(() => {});
    },
    stop: async () => ending,
  };
}

/** How soon Lucra notes a change of settings of its own. */
const NOTED_MS = 500;

/** Logs changes of settings files by hand. Without the log the settings are in force all the same. */
function editsNoted({ dataDir }: Config, log: Logger): (ids: readonly string[]) => Promise<void> {
  const audit = new Audit(dataDir);
  return async (ids) => {
    const edited: OrganizationFolders[] = [];
    for (const folders of ids.map((id) => foldersOf(dataDir, id)))
      if (await hasUnseen(folders).catch(() => true)) edited.push(folders);
    // What Lucra itself has just changed is noted meanwhile.
    if (edited.length > 0) await sleep(NOTED_MS, undefined, { ref: false });
    for (const folders of edited) {
      const { organization } = folders;
      await inLogTurn(dataDir, organization, () => logEdits(audit, folders)).catch((error) =>
        log.error({ organization, err: error }, "a change of the settings could not be logged"),
      );
    }
  };
}
