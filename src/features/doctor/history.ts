import { OperatorError } from "../../core/contract/error.ts";
import type { OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { History } from "../../core/marts/history.ts";
import { pinsOf } from "../../core/marts/pins.ts";
import { type Finding, finding } from "./report.ts";

/** What is damaged of the history and the pins, so that earlier states are not answered. */
export async function historyFindings(folders: OrganizationFolders): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const read of [() => History.of(folders), () => pinsOf(folders)]) {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      found.push(finding("damagedHistory", "wrong", error.message));
    }
  }
  return found;
}
