import type { JSONPath } from "jsonc-parser";
import type { ColumnNames, Integration } from "../contract/settings.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { type Edit, editSettings } from "./edit.ts";

/** What an import learned of the tables of a record. */
export interface Learned {
  /** Headings of columns, which go ahead of those that the settings have. */
  readonly columns?: ColumnNames;
  /** What words of expenses are for. */
  readonly items?: NonNullable<Integration["items"]>;
  /** How numbers and dates are read, and whether campaigns land by their names. */
  readonly reading?: Pick<Integration, "numbers" | "campaignsByName">;
}

/** Writes what an import learned into the settings of an integration; the rest of their text stays. */
export function rememberLearned(
  folders: OrganizationFolders,
  integration: string,
  record: string,
  learned: Learned,
): Promise<void> {
  return editSettings(folders, ({ integrations = [] }) => {
    const all = integrations as readonly Integration[];
    const at = all.findIndex(({ id }) => id.toLowerCase() === integration);
    const one = all[at];
    return one ? learnedEdits(["integrations", at], one, record, learned) : [];
  });
}

/** The edits that add to an integration what was learned. */
export function learnedEdits(
  place: JSONPath,
  one: Integration,
  record: string,
  { columns = {}, items = {}, reading = {} }: Learned,
): Edit[] {
  const known = one.columns?.[record] ?? {};
  return [
    ...Object.entries(columns).map(([field, headings]) => ({
      place: [...place, "columns", record, field],
      value: withHeadings(known[field], headings),
    })),
    ...Object.entries(items).map(([word, value]) => ({ place: [...place, "items", word], value })),
    ...Object.entries(reading).map(([name, value]) => ({ place: [...place, name], value })),
  ];
}

function withHeadings(known: ColumnNames[string] = [], added: ColumnNames[string]): ColumnNames[string] {
  const all = [...new Set([...[added].flat(), ...[known].flat()])];
  return all.length === 1 ? (all[0] as string) : all;
}
