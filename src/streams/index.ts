import type { RecordDeclaration } from "../contract/record.ts";
import type { StreamSet } from "../contract/stream.ts";
import { storeb } from "./storeb.ts";

/** The streams of every record and tool. */
export const streamSets: readonly StreamSet[] = [...storeb];

export const streamSetsOf = ({
  connector,
  name,
}: Pick<RecordDeclaration, "connector" | "name">): readonly StreamSet[] =>
  streamSets.filter(({ record }) => record === `${connector}/${name}`);
