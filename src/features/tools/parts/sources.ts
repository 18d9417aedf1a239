import type { RecordDeclaration } from "../../../core/contract/record.ts";
import { downloadSource } from "./downloads/index.ts";
import { eventSource } from "./events.ts";
import type { FileSample, PartSource, ReadSettings, Recognizer } from "./part.ts";
import { toolSource } from "./tools.ts";

/** In the order in which they are asked. */
const RECOGNIZERS: readonly Recognizer[] = [eventSource, downloadSource, toolSource];

/** The tool or download that wrote a file; undefined for the vendor's own objects and for plain tables. */
export function sourceOf(
  record: RecordDeclaration,
  sample: FileSample,
  settings: ReadSettings,
): PartSource | undefined {
  for (const recognize of RECOGNIZERS) {
    const source = recognize(record, sample, settings);
    if (source) return source;
  }
  return undefined;
}
