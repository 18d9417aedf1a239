import type { RecordDeclaration } from "../../../core/contract/record.ts";
import type { StreamSet } from "../../../core/contract/stream.ts";
import { crm } from "./crm.ts";
import { downloads } from "./downloads.ts";
import { searchads } from "./searchads.ts";
import { socialads } from "./socialads.ts";
import { storeb } from "./storeb.ts";
import { webanalytics } from "./webanalytics.ts";

/** The streams of every record and tool. */
export const streamSets: readonly StreamSet[] = [
  ...storeb,
  ...socialads,
  ...searchads,
  ...webanalytics,
  ...crm,
  ...downloads,
];

export const streamSetsOf = ({
  connector,
  name,
  own = [],
}: Pick<RecordDeclaration, "connector" | "name" | "own">): readonly StreamSet[] => {
  const sets = streamSets.filter(({ record }) => record === `${connector}/${name}`);
  return sets.length > 0 ? sets : unchanged(`${connector}/${name}`, name, own);
};

/** Of vendors for which no tool has a connector of its own, users pass on the vendor's objects. */
const unchanged = (record: string, name: string, own: readonly string[]): readonly StreamSet[] =>
  (["airbyte", "singer", "dlt"] as const).map((tool) => ({
    tool,
    record,
    root: { name, custom: true, signature: [own.join("|")] },
  }));
