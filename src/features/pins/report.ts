import { quantity } from "../../core/contract/text.ts";
import { printable } from "../../core/terminal/table.ts";
import type { LandingDiffers, RelationDiffers, Verified } from "./verify.ts";

/** A list in a report names this many at most; `--json` has all. */
const MOST_LISTED = 20;

const CAUSES: Readonly<Record<Verified["causes"][number], string>> = {
  landings: "its landings are not those of then",
  erased: "data of customers were erased since, which changes rows and no figure",
  software: "another version of Lucra derives it",
  files: "the kept files are not what is derived",
};

const LANDINGS: Readonly<Record<LandingDiffers["is"], string>> = {
  lost: "is lost",
  damaged: "is damaged",
  revoked: "was revoked for always",
  back: "is back, and was missing then",
};

/** The result of verifying a pin, as text. */
export function reportText(verified: Verified): string {
  const { name, knownAt, isEqual, causes, landings, relations, figures, answered, files } = verified;
  const reasons = causes.map((cause) => CAUSES[cause]).join("; ") || "nothing that is known explains it";
  const head = `${name} (${knownAt}): ${isEqual ? "equal" : `differs: ${reasons}`}`;
  return [
    head,
    ...listed(landings, (one) => `landing ${one.landing} (${one.connector} ${one.record}) ${LANDINGS[one.is]}`),
    ...listed(relations, relationText),
    ...listed(
      figures,
      (one) => `${one.month.slice(0, 7)} ${one.figure}: ${one.before ?? "unknown"} → ${one.after ?? "unknown"}`,
    ),
    ...listed(answered, (one) => `kept files: ${relationText(one)}`),
    ...(files === "damaged"
      ? ["  kept files were damaged, and are removed: they are derived again when they are asked for"]
      : []),
    ...(files === "gone" && !isEqual ? ["  the files of then are gone: rows were not compared one by one"] : []),
  ]
    .map(printable)
    .join("\n");
}

function listed<T>(all: readonly T[], textOf: (one: T) => string): string[] {
  const more = all.length - MOST_LISTED;
  const lines = all.slice(0, MOST_LISTED).map((one) => `  ${textOf(one)}`);
  return more > 0 ? [...lines, `  ${more} more: --json`] : lines;
}

function relationText({ relation, rowsBefore, rowsAfter, rows }: RelationDiffers): string {
  const counts = `${relation}: ${countOf(rowsBefore)} then, ${countOf(rowsAfter)} now`;
  if (!rows) return counts;
  const { gone, come, goneRows, comeRows, columns } = rows;
  const changes = [
    ...(gone > 0 ? [`${gone} are gone, such as ${goneRows[0]}`] : []),
    ...(come > 0 ? [`${come} are new, such as ${comeRows[0]}`] : []),
    ...(columns.length > 0 ? [`other columns: ${columns.join(", ")}`] : []),
  ];
  return changes.length > 0 ? `${counts}; ${changes.join("; ")}` : counts;
}

const countOf = (rows: number | null): string => (rows === null ? "not there" : quantity(rows, "row"));
