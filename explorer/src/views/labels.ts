import { t } from "../text.ts";

/** The name of a figure, if it has one. Some endpoints call theirs by a name that elsewhere is another figure. */
export const knownLabel = (name: string, endpoint: string): string | undefined =>
  t().metricAt[`${endpoint} ${name}`] ?? t().metric[name];

export const labelOf = (name: string, endpoint: string): string => knownLabel(name, endpoint) ?? name;
