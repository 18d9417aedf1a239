import type { RecordDeclaration } from "../../contract/record.ts";
import { streamId } from "../../contract/stream.ts";
import { streamSetsOf } from "../../streams/index.ts";
import type { FileSample, Part, PartSource, Row } from "./part.ts";

/** Recognizes a file of an EL tool. */
export function toolSource(record: RecordDeclaration, sample: FileSample): PartSource | undefined {
  const isAirbyte = sample.columns.some((name) => name === "_airbyte_data");
  if (!isAirbyte) return undefined;
  const [set] = streamSetsOf(record).filter(({ tool }) => tool === "airbyte");
  if (!set) return undefined;
  const stream = streamId(set, set.root);
  return {
    name: "Airbyte",
    unused: new Set<string>(),
    parts: (row: Row): readonly Part[] => {
      const data = typeof row._airbyte_data === "string" ? JSON.parse(row._airbyte_data) : row._airbyte_data;
      const at = Number(row._airbyte_extracted_at ?? row._airbyte_emitted_at);
      return [{ stream, key: String(data.id), object: JSON.stringify(data), extractedAt: new Date(at).toISOString() }];
    },
  };
}
