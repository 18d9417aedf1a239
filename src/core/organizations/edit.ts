import { readFile, stat } from "node:fs/promises";
import { applyEdits, type JSONPath, modify } from "jsonc-parser";
import { OperatorError } from "../contract/error.ts";
import { replaceWhole } from "../files/durable.ts";
import type { OrganizationFolders } from "../files/organizationFolders.ts";
import { keepSeen } from "./seen.ts";
import { readOrganization } from "./settings.ts";
import { settingsFile } from "./settingsFile.ts";

/** A change of one place in the settings; undefined removes it. */
export interface Edit {
  readonly place: JSONPath;
  readonly value: unknown;
}

/** The settings have faults, or would have them with the change: nothing was written. */
export class SettingsFaults extends OperatorError {
  readonly faults: readonly string[];
  /** Whether the change would bring them. */
  readonly isOfChange: boolean;

  constructor(faults: readonly string[], isOfChange: boolean, message = faults.join("; ")) {
    super(message);
    this.faults = faults;
    this.isOfChange = isOfChange;
  }
}

/** Changes places in the settings; the rest of the text, with its formatting, stays. */
export async function editSettings(
  folders: OrganizationFolders,
  editsOf: (settings: Record<string, unknown>) => readonly Edit[],
): Promise<void> {
  const { organization } = folders;
  const file = await settingsFile(folders);
  const before = await readFile(file, "utf8");
  const { settings, faults } = readOrganization(before, organization);
  if (faults.length > 0) throw new SettingsFaults(faults, false, `${file}: repair it first: ${faults.join("; ")}`);
  const mark = before.startsWith("\uFEFF") ? "\uFEFF" : "";
  let text = before.slice(mark.length);
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: indentOf(text), eol: "\n" };
  for (const { place, value } of editsOf(JSON.parse(text))) {
    text = applyEdits(text, modify(text, place, value, { formattingOptions }));
  }
  const changed = readOrganization(text, organization);
  if (!changed.settings) throw new SettingsFaults(changed.faults, true);
  const { mode } = await stat(file);
  const isUnchanged = async (): Promise<boolean> => (await readFile(file, "utf8")) === before;
  if (!(await replaceWhole(file, mark + text, mode & 0o777, isUnchanged))) {
    throw new OperatorError(`${file} was changed meanwhile, and stays as it is: try again`);
  }
  await keepSeen(folders, settings, changed.settings);
}

/** The number of blanks with which the first nested line begins. */
const indentOf = (text: string): number => /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
