import { setTimeout as sleep } from "node:timers/promises";
import type { Organization } from "../../core/contract/settings.ts";
import { readOrganization } from "../../core/organizations/settings.ts";
import { PlatformError, refused } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import { assertAllowed, candidateOf } from "./candidate.ts";
import type { SettingsDependencies } from "./dependencies.ts";
import type { Effect } from "./effectOf.ts";
import { Effects } from "./effects.ts";
import { detailsOf, settingsNow } from "./file.ts";
import { bodyOf } from "./schemas.ts";
import { sectionIn } from "./sections.ts";

/** How long a request waits for an effect. */
const WAIT_MS = 10_000;

const FAILED = {
  pt: "O efeito não pôde ser calculado. Salvar não depende disso.",
  en: "The effect could not be computed. Saving does not depend on it.",
};

/**
 * `POST …/settings/:section/effect` `{value}` → `{period, figures}`: of the last whole calendar month that all sources cover (`period`, null if
 * there is none), by family and figure `{now, after, change}`: `cards` (`revenue`, `contributionProfit`, `marginPercent`, `cac`, `ltv`,
 * `ltvCacRatio`, `roi`), `statement` (its lines), `acquisition` (the figures of `/v1/acquisition/summary`). After ten seconds
 * `{isComputing: true, id}`; `GET …/effects/:id` waits as long again, `DELETE` leaves it. A value with faults is refused as by `PUT`.
 * Nothing is kept or logged; of an organization only the newest one that waits is computed, and an earlier one is 404.
 */
export function effectResources(deps: SettingsDependencies): Resource[] {
  const effects = new Effects(deps.effectChildren);
  return [
    {
      path: "/platform/organizations/:organization/settings/:section/effect",
      who: "admin",
      add: {
        what: "settings.effect",
        isLogged: false,
        body: bodyOf({ value: {} }),
        run: async (call: Call<{ value: unknown }>) => {
          const wanted = await candidate(deps, call);
          return waited(effects.begin(call.organization, wanted));
        },
      },
    },
    {
      path: "/platform/organizations/:organization/effects/:effect",
      who: "admin",
      read: async ({ organization, params }) => {
        const asked = effects.find(organization, params.effect ?? "");
        if (!asked) throw new PlatformError("notFound");
        return waited(asked);
      },
      remove: {
        what: "settings.effect",
        isLogged: false,
        run: async ({ organization, params }) => {
          effects.leave(organization, params.effect ?? "");
          return {};
        },
      },
    },
  ];
}

async function candidate(deps: SettingsDependencies, call: Call<{ value: unknown }>): Promise<Organization> {
  const { organization, params, body } = call;
  const section = sectionIn(params);
  await assertAllowed(deps, organization, section, body.value);
  const wanted = candidateOf(await settingsNow(deps, organization), section, body.value);
  const { settings, faults } = readOrganization(JSON.stringify(wanted), organization);
  if (!settings) throw new PlatformError("invalid", { details: detailsOf(faults) });
  return settings;
}

async function waited({ id, done }: ReturnType<Effects["begin"]>): Promise<object> {
  const late = new AbortController();
  const end = await Promise.race([
    done.catch(() => "failed" as const),
    sleep(WAIT_MS, "late" as const, { signal: late.signal, ref: false }),
  ]);
  late.abort();
  if (end === "late") return { isComputing: true, id };
  if (end === "failed") throw refused("conflict", "", FAILED);
  if (end === undefined) throw new PlatformError("notFound");
  return end satisfies Effect;
}
