import { readFileSync } from "node:fs";
import path from "node:path";
import type { Endpoint } from "../contract/endpoint.ts";
import type { Figure, Figures, Unit } from "../contract/figure.ts";
import { isSent, type Param } from "../contract/param.ts";
import { SQL } from "../paths.ts";
import { answerFigures } from "./answer.ts";
import { FAMILIES, familyOf } from "./families.ts";
import { DESCRIPTION } from "./introduction.ts";
import { describe, rulesOf, sqlOf } from "./openapi.ts";
import { citedIn, linksTo } from "./rules.ts";

/** Every endpoint with its parameters and every field of its answer, as Markdown. */
export function reference(endpoints: readonly Endpoint[]): string {
  const families = Object.values(FAMILIES).flatMap((family) => [
    `## ${family.name}`,
    family.description,
    ...endpoints.filter((endpoint) => familyOf(endpoint) === family).flatMap(section),
  ]);
  const text = ["# Reference", GENERATED, DESCRIPTION, ...families].join("\n\n");
  return `${text}\n\n${linksTo(citedIn(text), "rules.md")}\n`;
}

const GENERATED = `Made by \`npm run documents\` from the declarations; the same as \`/docs\` of a running service.
Numbers in brackets are [rules](rules.md).`;

function section(endpoint: Endpoint): string[] {
  const params = Object.entries(endpoint.params).filter(([, param]) => isSent(param));
  return [
    `### ${endpoint.path}`,
    `${endpoint.summary} ${rulesOf(endpoint).join(" ")}`,
    `SQL: ${listed(sqlOf(endpoint))}. Rules: ${rulesFollowed(endpoint)}.`,
    table(
      ["Parameter", "Takes", "Meaning"],
      params.map(([name, param]) => [
        `\`${name}\`${param.required ? " (required)" : ""}`,
        takes(param),
        describe(param),
      ]),
    ),
    table(["Field", "Unit", "Meaning", "Formula", "Null when"], rows(answerFigures(endpoint))),
  ];
}

/** What every row endpoint follows. */
const OF_ROWS = "[D19] [D20] [D21] [D22]";

/** The rules that the endpoint's SQL files cite. */
function rulesFollowed(endpoint: Endpoint): string {
  const texts = sqlOf(endpoint).map((file) => readFileSync(path.resolve(SQL, "..", file), "utf8"));
  return citedIn([...texts, endpoint.shape === "page" ? OF_ROWS : ""].join("\n"))
    .map((rule) => `[${rule}]`)
    .join(", ");
}

function takes(param: Param): string {
  const fallback = "fallback" in param && param.fallback !== undefined ? `; default \`${param.fallback}\`` : "";
  switch (param.kind) {
    case "text":
      return param.maxLength ? `text, up to ${param.maxLength} characters` : "text";
    case "day":
      return "date";
    case "from":
    case "to":
      return "date or date-time";
    case "choice":
      return `${listed(param.of)}${fallback}`;
    case "list":
      return param.of ? `some of ${listed(param.of)}` : `up to ${param.most} texts`;
    case "paging":
      return `integer${fallback}`;
    case "flag":
      return `true or false${fallback}`;
    default:
      return param.kind;
  }
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

/** A row each, what is inside after what it is in. Fields that are the very ones of further out are not told again. */
function rows(figures: Figures, prefix = "", outer: ReadonlySet<Figure> = new Set()): string[][] {
  const told = new Set([...outer, ...Object.values(figures)]);
  const again = Object.entries(figures).filter(([, figure]) => outer.has(figure));
  const own = Object.entries(figures).filter(([, figure]) => !outer.has(figure));
  return [
    ...own.flatMap(([name, figure]) => [
      row(prefix + name, figure),
      ...inside(figure.unit).flatMap(([suffix, members]) => rows(members, `${prefix}${name}${suffix}`, told)),
    ]),
    ...(again.length > 0
      ? [[`\`${prefix}…\``, "", `The same as above: ${listed(again.map(([name]) => name))}.`, "", ""]]
      : []),
  ];
}

const row = (name: string, { unit, description, formula = "", nullWhen, presentWhen }: Figure): string[] => [
  `\`${name}\``,
  kindOf(unit),
  presentWhen ? `${description} Only when ${presentWhen}.` : description,
  formula,
  nullWhen ?? "never",
];

function kindOf(unit: Unit): string {
  if (unit === "flag") return "true or false";
  if (unit === "day") return "date";
  if (unit === "instant") return "date-time";
  if (typeof unit === "string") return unit;
  if ("choice" in unit) return listed(unit.choice);
  if ("choices" in unit) return "list of names";
  return "array" in unit ? "list" : "object";
}

function inside(unit: Unit): [string, Figures][] {
  if (typeof unit === "string") return [];
  if ("object" in unit) return [[".", unit.object]];
  if ("array" in unit) return [["[].", unit.array]];
  if ("keyed" in unit) return [[`.{${Object.keys(unit.key)}}.`, unit.keyed]];
  // A block in error has the same fields.
  return "either" in unit ? unit.either.slice(0, 1).map((figures) => [".", figures]) : [];
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...lines.map(line)].join("\n");
}
