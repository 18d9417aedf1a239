import type { JSONPath } from "jsonc-parser";
import type { ColumnNames, Integration } from "../contract/settings.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { type Edit, editSettings } from "./edit.ts";

/** What an import learned of the tables of a record. */
interface Learned {
  /** Headings of columns, which go ahead of those that the settings have. */
  readonly columns?: ColumnNames;
  /** What words of expenses are for. */
  readonly items?: NonNullable<Integration["items"]>;
  /** Whether expenses of one day are of its month. */
  readonly oneDayExpenses?: NonNullable<Integration["oneDayExpenses"]>;
  /** How numbers and dates are read, whether campaigns land by their names, and whether all orders are paid. */
  readonly reading?: Pick<Integration, "numbers" | "campaignsByName" | "allOrdersPaid">;
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

/** The edits that add to an integration what was learned, and what it does not have yet. */
export function learnedEdits(
  place: JSONPath,
  one: Integration,
  record: string,
  { columns = {}, items = {}, oneDayExpenses = {}, reading = {} }: Learned,
): Edit[] {
  const known = one.columns?.[record] ?? {};
  const headed = Object.entries(columns).map(([field, headings]) => ({
    place: ["columns", record, field],
    before: known[field],
    value: withHeadings(known[field], headings),
  }));
  const meant = Object.entries(items).map(([word, value]) => ({
    place: ["items", word],
    before: one.items?.[word],
    value,
  }));
  const spread = Object.entries(oneDayExpenses).map(([item, value]) => ({
    place: ["oneDayExpenses", item],
    before: one.oneDayExpenses?.[item as keyof typeof oneDayExpenses],
    value,
  }));
  const read = Object.entries(reading).map(([name, value]) => ({
    place: [name],
    before: one[name as keyof Integration],
    value,
  }));
  return [...headed, ...meant, ...spread, ...read]
    .filter(({ before, value }) => JSON.stringify(before) !== JSON.stringify(value))
    .map((edit) => ({ place: [...place, ...edit.place], value: edit.value }));
}

function withHeadings(known: ColumnNames[string] = [], added: ColumnNames[string]): ColumnNames[string] {
  const all = [...new Set([...[added].flat(), ...[known].flat()])];
  return all.length === 1 ? (all[0] as string) : all;
}
