import type { AnyEndpoint } from "../contract/endpoint.ts";
import type { Accepted, OfSettings } from "../contract/param.ts";
import { CONNECTOR_KINDS } from "../contract/record.ts";
import type { Organization } from "../contract/settings.ts";
import { addDays, dayIn } from "../time/days.ts";
import { addressed } from "./explained.ts";

/** The time zone of the first store of the settings, by which days of the organization begin. */
export function firstZone({ integrations = [] }: Organization): string {
  const store = integrations.find(({ connector }) => CONNECTOR_KINDS[connector] === "store");
  return store?.timezone ?? "UTC";
}

/** The targets that are amounts [D95]. */
const TARGETS_OF_AMOUNTS = ["revenue", "contribution3", "profit"] as const;

/** What parameters have from the settings at an instant. */
function settingOf(of: OfSettings, settings: Organization, at: Date): string {
  const today = dayIn(firstZone(settings), at);
  switch (of) {
    case "monthStart":
      return `${today.slice(0, 7)}-01`;
    case "yesterday":
      return addDays(today, -1);
    case "targets": {
      const amounts = TARGETS_OF_AMOUNTS.map((name) => [name, settings.targets?.[name]]);
      return JSON.stringify(Object.fromEntries(amounts.filter(([, amount]) => amount !== undefined)));
    }
    case "alerts":
    case "notes":
      return JSON.stringify(settings[of] ?? []);
  }
}

/** Whether a request of the endpoint takes anything from the settings. */
const paramsOf = (endpoint: AnyEndpoint, accepted: Accepted): AnyEndpoint["params"] =>
  endpoint.by === "explain"
    ? (addressed(endpoint.of, String(accepted.endpoint))?.endpoint.params ?? {})
    : endpoint.params;

/** The accepted parameters, with what is never sent and comes from the settings. */
export async function withSettings(
  endpoint: AnyEndpoint,
  accepted: Accepted,
  at: Date,
  settingsOf: () => Promise<Organization | undefined>,
): Promise<Accepted> {
  const params = Object.entries(paramsOf(endpoint, accepted));
  if (!params.some(([, { kind }]) => kind === "settings")) return accepted;
  const settings = await settingsOf();
  if (!settings) return accepted;
  const values = params.flatMap(([name, param]) =>
    param.kind === "settings" ? [[name, settingOf(param.of, settings, at)]] : [],
  );
  // Not a copy: its instant is not enumerable.
  return Object.assign(accepted, Object.fromEntries(values));
}
