import type { Endpoint } from "./endpoint.ts";
import type { Fields } from "./field.ts";
import type { ServedRecord } from "./record.ts";

/** An endpoint for those who only read, and its parameters that would tell what they do not see. */
interface Hiding {
  readonly endpoint: Endpoint;
  readonly parameters: readonly string[];
  /** The fields that are null. */
  readonly fields: readonly string[];
}

const known = new WeakMap<Endpoint, Hiding | undefined>();

/** The endpoint without personal data: their fields are null. Undefined if it has none. */
export function hiding(endpoint: Endpoint): Hiding | undefined {
  if (!known.has(endpoint)) known.set(endpoint, hidingOf(endpoint));
  return known.get(endpoint);
}

function hidingOf(endpoint: Endpoint): Hiding | undefined {
  const records = Object.values(endpoint.parts).flatMap(({ record }) => record ?? []);
  const fields = records.flatMap((record) => personalFields(record.fields));
  if (fields.length === 0) return undefined;
  const parts = Object.entries(endpoint.parts).map(([name, { record, ...part }]) => [
    name,
    { ...part, ...(record ? { record: withHidden(record) } : {}) },
  ]);
  return {
    endpoint: { ...endpoint, parts: Object.fromEntries(parts) } as Endpoint,
    parameters: records.flatMap(({ served, fields: all }) =>
      Object.entries(served.filters).flatMap(([name, filter]) =>
        "field" in filter && all[filter.field]?.isPersonal ? [name] : [],
      ),
    ),
    fields,
  };
}

export const personalFields = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, { isPersonal }]) => (isPersonal ? [name] : []));

const withHidden = (record: ServedRecord): ServedRecord => ({
  ...record,
  fields: Object.fromEntries(
    Object.entries(record.fields).map(([name, field]) => [
      name,
      field.isPersonal ? { ...field, isHidden: true } : field,
    ]),
  ),
});
