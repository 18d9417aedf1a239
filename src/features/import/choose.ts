import { type Field, kindOf } from "../../core/contract/field.ts";
import { CONNECTOR_KINDS, type RecordDeclaration, requiredFields } from "../../core/contract/record.ts";
import { OTHER_CURRENCY } from "../../core/landing/read/formats.ts";
import { NO_FIELD } from "../../core/landing/read/plainTable.ts";
import { exported } from "../../core/records/index.ts";
import { BELONGS } from "../tools/downloads/download.ts";
import { foreignDownload } from "../tools/downloads/foreign.ts";
import { almostDownload } from "../tools/downloads/index.ts";
import { type Candidate, isAmbiguous, type Sample } from "./recognize.ts";

/** Why no record is chosen. */
export type Unclear =
  /** The file is at fault, or belongs elsewhere. */
  | { readonly kind: "refused"; readonly reason: string }
  /** It has everything that a record requires, but no row of it would land. */
  | { readonly kind: "faulty"; readonly candidate: Candidate }
  | { readonly kind: "unknown" }
  /** A report by parts, which may leave out the rest of what the record is about. */
  | { readonly kind: "parts"; readonly record: RecordDeclaration; readonly parts: readonly string[] }
  | { readonly kind: "ambiguous"; readonly records: readonly RecordDeclaration[] };

/** The most probable record, or why none is chosen. `isNamed`: a person has chosen it. Without one that lands, the one with the most of its columns says what is missing. */
export function choiceOf(candidates: readonly Candidate[], sample: Sample, isNamed: boolean): Candidate | Unclear {
  const { headings } = sample;
  const [first] = candidates;
  const lands = candidates.some(({ preview: { rows } }) => rows > 0);
  const almost = lands ? undefined : (whyNotRecognized(sample) ?? elsewhereOf(candidates));
  if (almost !== undefined) return { kind: "refused", reason: almost };
  // A fault of the file is the same for every record.
  const fault = first?.preview.refusal;
  const isUnknown = fault?.startsWith(NO_FIELD) === true;
  if (!isUnknown && fault !== undefined && candidates.every(({ preview: { refusal } }) => refusal === fault))
    return { kind: "refused", reason: fault };
  if (first === undefined || isUnknown || !isClear(candidates) || (!isNamed && isVague(first, headings))) {
    const candidate = faultyOf(candidates);
    if (candidate) return { kind: "faulty", candidate };
    const foreign = foreignDownload(headings);
    return foreign === undefined ? { kind: "unknown" } : { kind: "refused", reason: foreign };
  }
  const parts = isNamed ? [] : partsNamed(first, headings);
  if (parts.length > 0) return { kind: "parts", record: first.record, parts };
  if (!isAmbiguous(candidates)) return first;
  const records = candidates.filter((one) => isAmbiguous([first, one])).map(({ record }) => record);
  return { kind: "ambiguous", records };
}

/** Why the rows of a record are recognized, and refused for their place or their currency. */
const elsewhereOf = (candidates: readonly Candidate[]): string | undefined =>
  candidates.find(({ preview: { refusal = "" } }) =>
    [BELONGS, OTHER_CURRENCY].some((reason) => refusal.includes(reason)),
  )?.preview.refusal;

/**
 * Whether any table has the few columns that are known: an id and a name, without a day or an amount, or those of a report
 * without any of its figures or of what tells its rows from those of the connector's other records.
 */
function isVague({ record, known, preview: { tool, filled } }: Candidate, headings: readonly string[]): boolean {
  const figures = Object.keys(record.fields).filter((name) => record.fields[name]?.combine === "sum");
  if (tool === undefined && figures.length > 0 && !figures.some((name) => filled.includes(name))) return true;
  const apart = keysApart(record);
  if (tool === undefined && apart.length > 0 && !apart.some((name) => filled.includes(name))) return true;
  const isTelling = requiredFields(record).some((name) => kindOf(record.fields[name] as Field) !== "text");
  return tool === undefined && !isTelling && known * 2 < headings.length && known < TELLING;
}

/** The fields of a record's key that no other record of the connector has: a report by state is not one by keyword. */
const keysApart = ({ connector, name, key }: RecordDeclaration): string[] => {
  // The key of a report of visits is all that its question named.
  if (CONNECTOR_KINDS[connector] !== "ads") return [];
  const others = exported.filter((other) => other.connector === connector && other.name !== name);
  return key.filter((field) => !others.some(({ fields }) => Object.hasOwn(fields, field)));
};

/** The headings that break a report down to parts, such as search terms, of which it may leave some out. */
function partsNamed({ record, preview: { tool } }: Candidate, headings: readonly string[]): string[] {
  const parts = (record.breakdowns ?? []).filter(({ ofParts }) => ofParts === true && tool === undefined);
  return parts.flatMap(({ columns }) => columns.filter((name) => headings.includes(name)));
}

/** That many columns of a record are no coincidence. */
const TELLING = 4;

/** The only record of which the rows have everything that is required, though a value of each is wrong. */
function faultyOf(candidates: readonly Candidate[]): Candidate | undefined {
  const whole = candidates.filter(({ preview: { refusal, reasons } }) => {
    const all = Object.keys(reasons);
    return refusal === undefined && all.length > 0 && !all.some((reason) => /: missing|^neither /.test(reason));
  });
  return whole.length === 1 ? whole[0] : undefined;
}

/** Why a table of which no row lands is not the download whose headings it almost has. */
const whyNotRecognized = ({ format, download, headings }: Sample): string | undefined =>
  format === "table" && !download ? almostDownload(headings) : undefined;

/** One row lands, or the file is a tool's, or at least two of its headings are columns of the record. */
const isClear = ([first, second]: readonly Candidate[]): boolean =>
  first !== undefined &&
  (first.preview.rows > 0 || first.preview.tool !== undefined || first.known > 1 || second === undefined);
