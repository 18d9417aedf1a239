import type { RecordDeclaration } from "../contract/record.ts";
import { crm } from "./crm.ts";
import { searchads } from "./searchads.ts";
import { socialads } from "./socialads.ts";
import { storea } from "./storea.ts";
import { storeb } from "./storeb.ts";
import { webanalytics } from "./webanalytics.ts";

/** Every record of every connector. */
export const records: readonly RecordDeclaration[] = [
  ...socialads,
  ...searchads,
  ...webanalytics,
  ...crm,
  ...storea,
  ...storeb,
];

/** The records that exports are of; the others come with one of them. */
export const exported: readonly RecordDeclaration[] = records.filter(({ envelopes }) => envelopes !== undefined);

/** The records a connector's exports are of. */
export const exportedBy = (connector: string): RecordDeclaration[] =>
  exported.filter((record) => record.connector === connector);
