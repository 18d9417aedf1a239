import type { Param, Params } from "../../../core/contract/param.ts";
import { COMPARISONS } from "../../../core/contract/param.ts";
import type { Sent } from "../../../core/params/validate.ts";
import { periodInput } from "../period.ts";
import type { Call, Resolved } from "../tool.ts";
import { type Said, ToolError } from "../tool.ts";

/** Which organization: it may be left out if the credentials have only one. */
export const organizationInput: Params = {
  organization: {
    kind: "text",
    maxLength: 200,
    description: "The organization's id or name; not needed if list_organizations lists one.",
  },
};

/** What was known when. */
export const knownInput: Params = {
  known_at: {
    kind: "text",
    maxLength: 40,
    description:
      "Answers as Lucra would have at that time, with the data and settings of then: an instant (ISO 8601), a day (its end in UTC), or the name of a pin. Default: now.",
  },
};

/** The arguments of a tool about a period. */
export const periodic = (fallback: string): Params => ({
  ...organizationInput,
  ...periodInput(fallback),
  ...knownInput,
});

export const compareInput: Params = {
  compare: {
    kind: "choice",
    of: COMPARISONS,
    fallback: "previous",
    description:
      "What the period is compared with: `previous`, as many days right before it; `year`, the same dates one year earlier; `weekdays`, 364 days earlier; `none`.",
  },
};

export const top = (fallback: number, most: number, of: string): Params => ({
  top: {
    kind: "paging",
    least: 1,
    most,
    fallback,
    description: `How many ${of} at most; the result says how many more there are.`,
  },
});

export const sorting = (of: readonly string[], fallback: string): Params => ({
  sort_by: { kind: "choice", of, fallback, description: "What decides which come first." },
  order: {
    kind: "choice",
    of: ["desc", "asc"],
    fallback: "desc",
    description: "`asc`: the lowest first. Null comes last.",
  },
});

export const flag = (fallback: "true" | "false", description: string): Param => ({
  kind: "flag",
  fallback,
  description,
});

/** The days as the parameters of an analysis. */
export const days = ({ from, to }: Resolved): Sent => (from && to ? { startDate: from, endDate: to } : {});

/** The days for an endpoint that needs both. */
export function boundedDays({ from, to }: Resolved): Sent {
  if (!from || !to)
    throw new ToolError({
      pt: "Esta ferramenta precisa de um período de no máximo 366 dias, não de `all`.",
      en: "This tool needs a period of at most 366 days, not `all`.",
    });
  return { startDate: from, endDate: to };
}

/** The text of an argument; undefined if it was not sent. */
export const text = (value: string | number | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value);

/** The figures that a list argument names; undefined for `all`. */
export function metricsOf(
  value: string | number | null | undefined,
  usual: readonly string[],
): ReadonlySet<string> | undefined {
  const named = text(value)?.split(",") ?? usual;
  return named.includes("all") ? undefined : new Set(named);
}

interface Store {
  readonly sourceIntegrationId: string;
  readonly integrationName: string | null;
}

export const storeInput: Params = {
  store: {
    kind: "text",
    maxLength: 200,
    description: "The store's id or name; not needed if the organization has only one. The error lists the stores.",
  },
};

/** The id of the store that a call means. */
export async function storeOf({ args, ask }: Call): Promise<string> {
  const { data } = (await ask("/v1/products/integrations", {})) as unknown as { data: readonly Store[] };
  const all = data.map(({ sourceIntegrationId, integrationName }) => ({
    id: sourceIntegrationId,
    name: integrationName ?? "",
  }));
  return only(all, text(args.store), "store", { pt: "loja", en: "store" }).id;
}

const folded = (name: string): string => name.trim().toLowerCase();
const SHOWN = 30;

/** The one that an argument names by id or name, or the only one. */
export function only<T extends { readonly id: string; readonly name: string }>(
  all: readonly T[],
  wanted: string | undefined,
  argument: string,
  noun: Said,
): T {
  const choices = `${all
    .slice(0, SHOWN)
    .map(({ id, name }) => `${name} (${id})`)
    .join("; ")}${all.length > SHOWN ? `; + ${all.length - SHOWN}` : ""}`;
  if (wanted === undefined) {
    const [first, ...others] = all;
    if (first && others.length === 0) return first;
    throw new ToolError(
      first
        ? {
            pt: `\`${argument}\` é obrigatório: há mais de uma ${noun.pt}: ${choices}.`,
            en: `\`${argument}\` is required, as there is more than one ${noun.en}: ${choices}.`,
          }
        : { pt: `Não há nenhuma ${noun.pt}.`, en: `There is no ${noun.en}.` },
    );
  }
  const ways: ((one: T) => boolean)[] = [
    ({ id }) => id === wanted.toLowerCase(),
    ({ name }) => name === wanted,
    ({ name }) => folded(name) === folded(wanted),
  ];
  for (const way of ways) {
    const found = all.filter(way);
    if (found.length === 1 && found[0]) return found[0];
    if (found.length > 1) {
      const ids = found.map(({ id }) => id).join(", ");
      throw new ToolError({
        pt: `\`${argument}\`: há mais de uma ${noun.pt} com o nome ${wanted}; use um destes ids: ${ids}.`,
        en: `\`${argument}\`: there is more than one ${noun.en} of the name ${wanted}; use one of these ids: ${ids}.`,
      });
    }
  }
  throw new ToolError({
    pt: `\`${argument}\`: não há nenhuma ${noun.pt} ${wanted} entre as suas: ${choices || "(nenhuma)"}.`,
    en: `\`${argument}\`: there is no ${noun.en} ${wanted} among yours: ${choices || "(none)"}.`,
  });
}
