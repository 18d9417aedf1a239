/** One small change of one file. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The line without its indentation. */
  readonly code: string;
  readonly from: string;
  readonly to: string;
  /** The whole file with the change. */
  readonly text: string;
}

type Rule = readonly [RegExp, (found: string) => string];

const swap = (a: string, b: string): Rule[] => [one(a, b), one(b, a)];
const one = (from: string, to: string): Rule => [
  new RegExp(from.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"), "g"),
  () => to,
];

const SQL: readonly Rule[] = [
  ...swap(" >= ", " > "),
  ...swap(" <= ", " < "),
  ...swap(" = ", " <> "),
  ...swap(" + ", " - "),
  // A change that would leave no valid statement is not drawn: of a `select *`, a `semi join`, a definition.
  [/(?<!\bselect) \* (?!exclude)/g, () => " / "],
  one(" / ", " * "),
  ...swap(" is null", " is not null"),
  ...swap("min(", "max("),
  ...swap("least(", "greatest("),
  ...swap(" or ", " and "),
  one(" is not distinct from ", " = "),
  one("left join ", "join "),
  [/(?<!\b(?:left|cross|full|semi|anti|asof) )\bjoin /g, () => "left join "],
  one("count(distinct ", "count("),
  one("sum(", "max("),
  [/(?<!macro )\bor_zero\(/g, () => "("],
  one("union all", "union"),
  one(" desc", " asc"),
  one(" asc", " desc"),
  one("nulls last", "nulls first"),
  [/(?<![\w.$'])\d+(?![\w.])/g, (found) => String(Number(found) + 1)],
];

const TYPESCRIPT: readonly Rule[] = [
  ...swap(" >= ", " > "),
  ...swap(" <= ", " < "),
  ...swap(" === ", " !== "),
  ...swap(" + ", " - "),
  ...swap(" * ", " / "),
  ...swap(" && ", " || "),
  ...swap("Math.min(", "Math.max("),
  ...swap("true", "false"),
  ...swap('"asc"', '"desc"'),
  one("Math.floor(", "Math.ceil("),
  one(" ?? ", " && "),
  one("nulls last", "nulls first"),
  [
    /(?<![\w.$'"-])\d[\d_]*n?(?![\w."])/g,
    (found) =>
      found.endsWith("n") ? `${BigInt(found.slice(0, -1)) + 1n}n` : String(Number(found.replaceAll("_", "")) + 1),
  ],
];

/** Replaces everything that is not code with blanks of the same length: comments, and in SQL also texts. */
function code(text: string, isSql: boolean): string {
  const hidden = isSql ? /--.*$|'(?:[^'\n]|'')*'/gm : /\/\*[\s\S]*?\*\/|\/\/.*$|^import .*$|^\} from .*$/gm;
  return text.replaceAll(hidden, (gone) => gone.replaceAll(/[^\n]/g, "\0"));
}

/** A type is not running code, and `a < b` in a type is no comparison. */
const isType = (line: string): boolean =>
  /^\s*(?:export )?(?:interface|type|readonly) |^\s*\w+\??: [A-Z]\w*[;,]?$/.test(line);

/** Every change of a file that the rules can make. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const isSql = file.endsWith(".sql");
  const bare = code(text, isSql);
  const mutants: Mutant[] = [];
  for (const [pattern, change] of isSql ? SQL : TYPESCRIPT) {
    for (const { 0: from, index } of bare.matchAll(pattern)) {
      const start = bare.lastIndexOf("\n", index) + 1;
      const line = bare.slice(start, bare.indexOf("\n", index));
      // `between a and b` has no `or`; views and their files are named, not computed.
      if (from === " and " && /between/.test(line)) continue;
      if (isSql ? /^create view|^set |decimal\(/.test(line) : isType(line)) continue;
      const to = change(from);
      const changed = text.slice(0, index) + to + text.slice(index + from.length);
      mutants.push({
        file,
        line: text.slice(0, index).split("\n").length,
        code: text.slice(start, bare.indexOf("\n", index)).trim(),
        from: from.trim(),
        to: to.trim(),
        text: changed,
      });
    }
  }
  return mutants.sort((a, b) => a.line - b.line);
}
