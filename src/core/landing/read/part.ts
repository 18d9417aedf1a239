import type { RecordDeclaration } from "../../contract/record.ts";
import type { Integration } from "../../contract/settings.ts";
import type { CellKind } from "./formats.ts";

/** A row of a stream, in the names of the vendor's object. Joined with its other parts it becomes that object. */
export interface Part {
  /** `fivetran:order_line`. */
  readonly stream: string;
  /** The vendor's object, or a part of it, as JSON. */
  readonly object: string;
  /** The row's own key; parts of one key are versions of one row. */
  readonly key?: string | undefined;
  /** The key of the parent's row. */
  readonly parent?: string | undefined;
  /** The load that parent and child are joined in, for tools that write new keys in each load. */
  readonly load?: string | undefined;
  /** The place in the parent's list. */
  readonly sort?: number | undefined;
  /** When the tool read the row from the vendor, ISO 8601. */
  readonly extractedAt?: string | undefined;
  /** The row's number in the file; absent: that of the row being read. */
  readonly position?: number | undefined;
  /** The vendor's object was deleted. */
  readonly deleted?: boolean;
  /** Rejection reason, for example that the tool has nulled an amount. */
  readonly fault?: string | undefined;
}

/** The beginning of a file, from which the tool or the download that wrote it is recognized. */
export interface FileSample {
  /** The file's path below the record's folder. */
  readonly name: string;
  /** When the file was last changed, ISO 8601. */
  readonly modified: string;
  /** `lines`: JSON objects; `table`: CSV, a spreadsheet or Parquet, one heading for all rows. */
  readonly format: "lines" | "table";
  /** Whether the values are cells of CSV or of a spreadsheet, which have no types. */
  readonly isText?: boolean;
  /** The headings of a table, or the keys of the first objects. */
  readonly columns: readonly string[];
  /** The first rows. */
  readonly rows: readonly SourceRow[];
}

/** A row as it was read. The cells of a CSV file are texts. */
export type SourceRow = Readonly<Record<string, unknown>>;

/** The writer of a file, and how its rows become parts. One per file, because it may remember rows. */
export interface PartSource {
  /** `Airbyte`, `Shopify orders CSV`: for reports. */
  readonly name: string;
  /** The parts of a row; none if it is passed over. A row that cannot be read throws a RowError; FileError refuses the file. */
  parts(row: SourceRow, position: number): readonly Part[];
  /** A row that was rejected before, for example because it is cut short: what it belongs to is not whole. */
  broken?(row: SourceRow): void;
  /** After the last row: further parts. A FileError refuses the file, for example if its totals do not add up. */
  end?(): Iterable<Part>;
  /** The streams that the file holds even if it has no rows. */
  readonly streams?: readonly string[];
  /** Columns that were not read. */
  readonly unused: ReadonlySet<string>;
  /** Columns of cells whose numbers, dates or ids are read as the whole file writes them; the rows have them as ISO 8601 and with a decimal point. */
  readonly kinds?: ReadonlyMap<string, CellKind>;
  /** The columns that a list of rejects may show; absent: all. A download has personal data that do not land. */
  readonly shown?: ReadonlySet<string>;
  /** Notes: data that such a file cannot give, and figures that are missing therefore. */
  readonly notes?: readonly string[];
}

/** Begins the name of a stream whose rows are a report; its dimensions follow. */
export const REPORT_BY = "report by ";

/** A row that is rejected, with the reason. */
export class RowError extends Error {}

/** Recognizes files of a record; undefined if a file is not of this kind. FileError refuses it. */
export type Recognizer = (
  record: RecordDeclaration,
  sample: FileSample,
  settings: ReadSettings,
) => PartSource | undefined;

/** The settings of an integration that concern the reading of files. */
export interface ReadSettings
  extends Pick<Integration, "numbers" | "campaignsByName" | "allOrdersPaid" | "timezone" | "columns"> {
  /** The organization's currency. */
  readonly currency?: string;
}
