import type { Integration, Organization, PullSettings } from "../../core/contract/settings.ts";
import { pullOf } from "./connectors/index.ts";

export type PulledIntegration = Integration & { readonly pull: PullSettings };

export const isPulled = (integration: Integration): integration is PulledIntegration => integration.pull !== undefined;

/** The records of an integration that its settings have pulled. */
export const pulledRecords = ({ connector, pull }: Pick<PulledIntegration, "connector" | "pull">): string[] =>
  Object.keys(pullOf(connector).records).filter((name) => pull.records?.includes(name) ?? true);

/** Whose data an integration pulls; a prefix and capitals make no difference. */
export function accountOf({ connector, pull }: PulledIntegration): string {
  const keys = Object.entries(pullOf(connector).account).filter(([, { isManner }]) => !isManner);
  return keys.map(([key]) => pull.account?.[key]?.toLowerCase().replace(/^act_/, "") ?? "").join(" ");
}

/** The account and the addresses that secrets are entered for: they are sent nowhere else [D92]. */
export interface EnteredFor {
  readonly account: string;
  readonly baseUrl: string | null;
  readonly tokenUrl: string | null;
}

export const placeOfSecrets = (integration: Integration): EnteredFor => ({
  account: isPulled(integration) ? accountOf(integration) : "",
  baseUrl: integration.pull?.baseUrl ?? null,
  tokenUrl: integration.pull?.tokenUrl ?? null,
});

export interface Account {
  readonly organization: string;
  readonly integration: PulledIntegration;
}

/** The integrations of organizations that have `pull`; only one of them, if its id is given. */
export const pulledAccounts = (organizations: readonly Organization[], only?: string): Account[] =>
  organizations.flatMap(({ organizationId, integrations = [] }) =>
    integrations
      .filter(isPulled)
      .filter(({ id }) => only === undefined || id === only)
      .map((integration) => ({ organization: organizationId, integration })),
  );
