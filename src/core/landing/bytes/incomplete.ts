import { quantity } from "../../contract/text.ts";

/** Keys next to the rows of an answer by which vendors say that there are more, or that some are left out. */
export const SAYS_MORE: ReadonlySet<string> = new Set([
  "paging",
  "pageInfo",
  "page_info",
  "nextPageToken",
  "next_page_token",
  "rowCount",
  "row_count",
  "metadata",
]);

/** What a vendor's answers say of their own completeness. Answers are numbered in the order in which they begin. */
export class Completeness {
  /** The last answer that has rows, or says anything. */
  #last = -1;
  /** The last answer after which more follow, and the key that says so. */
  #followed: { readonly report: number; readonly key: string } | undefined;
  /** The most rows that an answer names. */
  #total = 0;
  readonly #notes = new Set<string>();

  row(report: number): void {
    if (report > this.#last) this.#last = report;
  }

  said(report: number, key: string, bytes: Buffer): void {
    this.row(report);
    if (!SAYS_MORE.has(key)) return;
    const value = parsed(bytes);
    if (hasNext(value)) this.#followed = { report, key };
    const total = key === "rowCount" || key === "row_count" ? Number(value) : Number(memberOf(value, "total"));
    if (Number.isSafeInteger(total) && total > this.#total) this.#total = total;
    for (const note of leftOut(value)) this.#notes.add(note);
  }

  /** Notes on what a file of so many rows lacks. */
  notes(rows: number): string[] {
    const total =
      this.#total > rows
        ? [
            `says that there are ${quantity(this.#total, "row")}, and has ${quantity(rows, "row")}: the others are in another file, or missing`,
          ]
        : [];
    const isFollowed = this.#followed !== undefined && this.#followed.report >= this.#last;
    const more = isFollowed
      ? [`says that more pages follow (${this.#followed?.key}): they are in another file, or missing`]
      : [];
    return [...total, ...more, ...this.#notes];
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

const memberOf = (value: unknown, ...names: readonly string[]): unknown => {
  if (typeof value !== "object" || value === null) return undefined;
  const found = names.find((name) => Object.hasOwn(value, name));
  return found === undefined ? undefined : (value as Record<string, unknown>)[found];
};

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== "" && value !== false;

/** A token, `{next: …}`, `{hasNextPage: true}`, or a page before the last one. */
function hasNext(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  const [page, pages] = [memberOf(value, "currentPage"), memberOf(value, "pages")];
  return (
    isFilled(memberOf(value, "next")) ||
    isFilled(memberOf(value, "hasNextPage", "has_next_page")) ||
    (typeof page === "number" && typeof pages === "number" && page < pages)
  );
}

/** Rows that the vendor left out of a report. */
function leftOut(value: unknown): string[] {
  const sampled = memberOf(value, "samplingMetadatas", "sampling_metadatas");
  const said: readonly (readonly [unknown, string])[] = [
    [
      Array.isArray(sampled) && sampled.length > 0,
      "is computed from a sample of the events: its figures are estimates",
    ],
    [
      memberOf(value, "subjectToThresholding", "subject_to_thresholding") === true,
      "lacks rows of few users, which the vendor withholds (thresholding)",
    ],
    [
      memberOf(value, "dataLossFromOtherRow", "data_loss_from_other_row") === true,
      "has rows that the vendor put together as (other): ask for fewer dimensions or days",
    ],
  ];
  return said.filter(([holds]) => holds === true).map(([, note]) => note);
}
