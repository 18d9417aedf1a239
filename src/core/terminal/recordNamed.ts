import type { RecordDeclaration } from "../contract/record.ts";
import { CONNECTOR_NAMES, connectorNamed } from "../contract/vendor.ts";
import { exportedBy } from "../records/index.ts";
import { UsageError } from "./usage.ts";

/** The record of this name: `storea/orders` or `vtex/orders`. */
export function recordNamed(text: string): RecordDeclaration {
  const [first = "", ...rest] = text.split("/");
  const connector = connectorNamed(first);
  if (!connector) throw new UsageError(`${text}: no such connector; known are ${CONNECTOR_NAMES.join(", ")}`);
  const records = exportedBy(connector);
  const record = records.find((one) => one.name === rest.join("/").trim().toLowerCase());
  if (!record)
    throw new UsageError(`${text}: no such record; ${first} has ${records.map((one) => one.name).join(", ")}`);
  return record;
}
