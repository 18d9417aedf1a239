import type { RecordDeclaration } from "../../../contract/record.ts";
import type { FileSample, PartSource, ReadSettings } from "../part.ts";

/** Recognizes a file that a user downloaded from a vendor's pages. */
export function downloadSource(
  _record: RecordDeclaration,
  _sample: FileSample,
  _settings: ReadSettings,
): PartSource | undefined {
  return undefined;
}
