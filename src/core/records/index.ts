import { type ConnectorKind, connectorsOf, type RecordDeclaration, relationOf } from "../contract/record.ts";
import { crm } from "./crm.ts";
import { finance } from "./finance.ts";
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
  ...finance,
];

/** The records that have exports; the others land with one of these. */
export const exported: readonly RecordDeclaration[] = records.filter(({ envelopes }) => envelopes !== undefined);

/** A connector's records that have exports. */
export const exportedBy = (connector: string): RecordDeclaration[] =>
  exported.filter((record) => record.connector === connector);

/** The relations of one record of all connectors of a kind: the orders of the stores. */
export function relationsOf(kind: ConnectorKind, name: string): ReadonlySet<string> {
  const connectors = connectorsOf(kind);
  return new Set(records.filter((one) => one.name === name && connectors.includes(one.connector)).map(relationOf));
}
