import { OperatorError } from "../contract/error.ts";
import { UUID } from "../contract/param.ts";
import type { Integration, Organization } from "../contract/settings.ts";
import { paths } from "../files/paths.ts";
import { knownOrganizations } from "./open.ts";

/** The id or the name of something, as operators write it. */
interface Named {
  readonly id: string;
  readonly name?: string | undefined;
}

const folded = (text: string): string => text.trim().toLowerCase();

/** The only one with this id or name. An id wins, then the name as it is written, then in any letters. */
function only<T extends Named>(all: readonly T[], wanted: string, what: string): T | undefined {
  const ways: ((one: T) => boolean)[] = [
    ({ id }) => id === wanted.toLowerCase(),
    ({ name }) => name === wanted,
    ({ name }) => name !== undefined && folded(name) === folded(wanted),
  ];
  for (const way of ways) {
    const found = all.filter(way);
    if (found.length === 1) return found[0];
    const ids = found.map(({ id }) => id).join(", ");
    if (found.length > 1)
      throw new OperatorError(`${what} ${wanted}: several have this name, name one by its id: ${ids}`);
  }
  return undefined;
}

/** The organizations with these ids or names. Problems with the settings of others are left out if ids are given. */
export async function namedOrganizations(
  dataDir: string,
  onProblem: (problem: string) => void,
  wanted: readonly string[],
): Promise<Organization[]> {
  const ids = wanted.every((one) => UUID.test(one)) ? wanted.map((one) => one.toLowerCase()) : undefined;
  const known = await knownOrganizations(dataDir, onProblem, ids);
  const all = known.map((settings) => ({ id: settings.organizationId, name: settings.name, settings }));
  return wanted.map((one) => {
    const found = only(all, one, "organization");
    if (!found) throw new OperatorError(`no organization ${one} in ${paths.settings(dataDir)}${among(all)}`);
    return found.settings;
  });
}

/** The organization with this id or name, or the only one there is. */
export async function oneOrganization(
  dataDir: string,
  onProblem: (problem: string) => void,
  wanted: string | undefined,
): Promise<Organization> {
  if (wanted !== undefined) return (await namedOrganizations(dataDir, onProblem, [wanted]))[0] as Organization;
  const known = await knownOrganizations(dataDir, onProblem);
  const [first, ...others] = known;
  if (first && others.length === 0) return first;
  const choice = known.map(({ organizationId, name }) => `${name} (${organizationId})`).join(", ");
  throw new OperatorError(`--organization is needed: one of ${choice || "(none yet)"}`);
}

/** The integration with this id or name, of one of the organizations. */
export function namedIntegration(
  organizations: readonly Organization[],
  wanted: string,
): { readonly organization: Organization; readonly integration: Integration } {
  const all = organizations.flatMap((organization) =>
    (organization.integrations ?? []).map((integration) => ({
      id: integration.id,
      name: integration.name,
      organization,
      integration,
    })),
  );
  const found = only(all, wanted, "integration");
  if (!found) throw new OperatorError(`no integration ${wanted} in the settings${among(all)}`);
  return found;
}

const MOST_LISTED = 20;

/** Lists what there is, since ids and names are easily mistyped. */
const among = (all: readonly Named[]): string =>
  all.length === 0
    ? ""
    : `: there are ${all
        .slice(0, MOST_LISTED)
        .map(({ id, name }) => (name === undefined ? id : `${name} (${id})`))
        .join(", ")}${all.length > MOST_LISTED ? `, and ${all.length - MOST_LISTED} more` : ""}`;

/** The name that reports show. */
export const shownName = ({ id, name }: Named): string => name ?? id;
