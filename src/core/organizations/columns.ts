import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import type { ColumnNames, Integration, Organization } from "../contract/settings.ts";
import { replaceWhole } from "../files/durable.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { paths } from "../files/paths.ts";
import { parseOrganization } from "./settings.ts";

/** What an import learned of the tables of a record. */
interface Learned {
  /** Headings of columns, which go ahead of those that the settings have. */
  readonly columns: ColumnNames;
  /** What words of expenses are for. */
  readonly items: NonNullable<Integration["items"]>;
}

/**
 * Writes what an import learned into the settings of an integration. The rest of the file keeps its values; its layout becomes
 * that of `organizations add`.
 */
export async function rememberLearned(
  folders: OrganizationFolders,
  integration: string,
  record: string,
  learned: Learned,
): Promise<void> {
  const { organization } = folders;
  const folder = paths.settings(folders.dataDir);
  const name = (await readdir(folder)).find((one) => one.toLowerCase() === `${organization}.json`);
  if (name === undefined) throw new OperatorError(`no settings of ${organization} in ${folder}`);
  const file = path.join(folder, name);
  const before = await readFile(file, "utf8");
  // Settings with a fault are reported, not rewritten.
  parseOrganization(before, name, organization);
  const settings = JSON.parse(before.replace(/^\uFEFF/, "")) as Organization;
  const integrations = settings.integrations?.map((one) =>
    one.id.toLowerCase() === integration ? withLearned(one, record, learned) : one,
  );
  const content = `${JSON.stringify({ ...settings, integrations }, null, 2)}\n`;
  parseOrganization(content, name, organization);
  const { mode } = await stat(file);
  const isUnchanged = async (): Promise<boolean> => (await readFile(file, "utf8")) === before;
  if (!(await replaceWhole(file, content, mode & 0o777, isUnchanged)))
    throw new OperatorError(`${file} was changed meanwhile: run the command again`);
}

const withLearned = (one: Integration, record: string, { columns, items }: Learned): Integration => ({
  ...one,
  ...(Object.keys(columns).length > 0
    ? { columns: { ...one.columns, [record]: withHeadings(one.columns?.[record], columns) } }
    : {}),
  ...(Object.keys(items).length > 0 ? { items: { ...one.items, ...items } } : {}),
});

function withHeadings(known: ColumnNames = {}, added: ColumnNames): ColumnNames {
  const all = Object.entries(added).map(([field, headings]): [string, string | readonly string[]] => {
    const both = [...new Set([...[headings].flat(), ...[known[field] ?? []].flat()])];
    return [field, both.length === 1 ? (both[0] as string) : both];
  });
  return { ...known, ...Object.fromEntries(all) };
}
