import { type Connector, landedNames, requiredFields } from "../../core/contract/record.ts";
import { exportedBy } from "../../core/records/index.ts";
import type { Sample } from "../import/recognize.ts";
import { fittingHeadings, onlyFitting, type Values, valuesOf } from "./headings.ts";

/** A record that a table may be, whose columns have other names in it. */
export interface Likely {
  readonly connector: Connector;
  readonly record: string;
  /** Of the columns that it needs, or that tell it from others: the share that seems to be there. */
  readonly share: number;
}

/** What people send as tables of their own. */
const SENT: readonly (readonly [Connector, string])[] = [
  ["storea", "orders"],
  ["socialads", "campaigns"],
  ["searchads", "campaigns"],
  ["finance", "product-costs"],
  ["finance", "expenses"],
  ["finance", "payment-fees"],
];

/** The records of which most columns that they require, or that tell them from others, have a heading; the likeliest first. */
export function likelyRecords({ format, headings, rows = [] }: Sample): Likely[] {
  if (format !== "table") return [];
  const values = valuesOf(headings, rows);
  return SENT.map(([connector, record], at) => ({ connector, record, at, share: shareOf(connector, record, values) }))
    .filter(({ share }) => share >= LEAST)
    .sort((a, b) => b.share - a.share || a.at - b.at)
    .map(({ connector, record, share }) => ({ connector, record, share: Math.round(share * 100) / 100 }));
}

const LEAST = 0.4;
/** What a column counts whose values fit, though its heading says nothing. */
const BY_VALUE = 0.5;

/** Columns that are not required, and that tables of other records do not have. */
const TELLING = ["email", "status", "campaign_name", "impressions", "sku", "item"];

function shareOf(connector: Connector, name: string, values: Values): number {
  const record = exportedBy(connector).find((one) => one.name === name);
  if (!record) throw new Error(`there is no record ${connector}/${name}`);
  const names = new Set([...requiredFields(record), ...landedNames(record).filter((one) => TELLING.includes(one))]);
  const headings = [...values.keys()];
  const found = [...names].map((one) => {
    if (fittingHeadings(record, one, headings, values).length > 0) return 1;
    return onlyFitting(record, one, headings, values).length > 0 ? BY_VALUE : 0;
  });
  return found.reduce<number>((sum, one) => sum + one, 0) / names.size;
}
