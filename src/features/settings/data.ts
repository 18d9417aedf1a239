import { ApiError } from "../../core/contract/error.ts";
import type { Row, Session } from "../../core/engine/database.ts";
import { held } from "../../core/engine/generations.ts";
import { readMacros, readSql } from "../../core/engine/sql.ts";
import { PlatformError } from "../platform/errors.ts";
import type { Resource } from "../platform/resource.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import { settingsNow } from "./file.ts";

const LONGEST_MS = 30_000;

type Deps = Pick<SettingsDependencies, "database" | "generations" | "organizations">;

/**
 * `GET …/campaigns` → `{data: [{campaignId, campaignName, connector, spend, firstDay, lastDay, strategy, rule}]}`: all that ever had
 * spend, unclassified ones (`strategy` and `rule` null) first, then by spend. `rule`: the place in the section `campaigns`, from
 * 0 on, of the rule that decides now. A click adds a rule to that section, at its beginning if it is to count before another one.
 *
 * `GET …/events` → `{data: [{event, count, recent, firstDay, lastDay}]}`: `recent` counts the last 90 days of data.
 *
 * `GET …/payments` → `{data: [{integration, integrationId, payment, orders, counted, revenue}]}`: names of payments that nothing
 * knows, by the revenue that counts; a rule of the section `payments` gives one a group.
 *
 * What is still unknown of costs needs nothing here: `missing` of `/v1/profit/statement`, and `/v1/profit/unknown-goods`, whose
 * rows are rules that close the gap.
 */
export const dataResources = (deps: Deps): Resource[] => [
  {
    path: "/platform/organizations/:organization/campaigns",
    who: "admin",
    read: async ({ organization }) => {
      const settings = await settingsNow(deps, organization);
      const rows = await rowsOf(deps, organization, async (session) => {
        await session.run(readMacros("setup/text", "staging/names", "staging/macros", "core/macros"));
        await session.set("settings", JSON.stringify(settings));
        await session.run(`create or replace temp table campaign_rules as ${readSql("core/campaign_rules")}`);
        return session.rows(readSql("settings/campaigns"));
      });
      return { data: rows.map(({ rule, ...row }) => ({ ...row, rule: typeof rule === "number" ? rule - 1 : null })) };
    },
  },
  {
    path: "/platform/organizations/:organization/events",
    who: "admin",
    read: async ({ organization }) => ({
      data: await rowsOf(deps, organization, (session) => session.rows(readSql("settings/events"))),
    }),
  },
  {
    path: "/platform/organizations/:organization/payments",
    who: "admin",
    read: async ({ organization }) => ({
      data: await rowsOf(deps, organization, (session) => session.rows(readSql("doctor/unknown_payments"))),
    }),
  },
];

/** Rows of the files in force; none where nothing is derived yet. */
async function rowsOf(
  { database, generations }: Deps,
  organization: string,
  work: (session: Session) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  try {
    return await held(generations, organization, async () => {
      const { folder } = await generations.current(organization);
      return database.useUntil(AbortSignal.timeout(LONGEST_MS), async (session) => {
        await session.set("marts", folder);
        return work(session);
      });
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.kind === "underived") return [];
    throw new PlatformError("unavailable");
  }
}
