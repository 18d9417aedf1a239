import { expect } from "chai";
import { answerFields } from "../../src/core/contract/answer.ts";
import type { Basis } from "../../src/core/contract/basis.ts";
import type { Endpoint, ExplainEndpoint } from "../../src/core/contract/endpoint.ts";
import { type Field, type Fields, isNumber, membersOf } from "../../src/core/contract/field.ts";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { operandsIn } from "../../src/features/explain/formula.ts";
import { ATTRIBUTES } from "../../src/features/explain/place.ts";
import { namesOf } from "../../src/features/explain/rowNames.ts";

/** Figures that are computed from no rows, or from rows that explanations do not count, by the last step of their path. */
const OF_NO_ROWS = [
  ..."marginPercent changes.margin rowsLeftOut meta.page meta.limit pagination.page pagination.pageSize".split(" "),
  ..."points.month average.month withoutSaleValue checks.rows cohortWindowDays categories.depth bucketDays".split(" "),
  // Orders that do not count, products, and readings of stock.
  ..."uncounted.orders uncounted.value data.products pagination.total coverage.inventory data.index".split(" "),
  // Orders of which a cost is not known, and what a line is made of.
  ..."missing.orders missing.revenue missing.units missing.products parts.amount".split(" "),
  // Of the settings.
  "target",
  // Of alerts: limits, and days as they were judged.
  ..."data.value data.days judged.days judged.beyond judged.leastPct judgedDays beyond causes".split(" "),
];

/** Figures of a row that are computed from more than the row. */
const OF_ALL_ROWS = [
  "/v1/profitability/breakdown data.share",
  "/v1/profitability/breakdown data.previous.share",
  "/v1/profit/pace data.toDate",
  "/v1/acquisition/products data.investmentShare",
];

const of = endpoints.find((endpoint): endpoint is ExplainEndpoint => endpoint.by === "explain")?.of ?? [];

/** A declared number: `around`: the fields of the objects that it is in; `table`: the outermost list, and its fields. */
interface Declared {
  readonly path: string;
  readonly field: Field;
  readonly around: readonly Fields[];
  readonly table: readonly [path: string, fields: Fields] | undefined;
}

function declaredIn(fields: Fields, above = "", around: readonly Fields[] = [], table?: Declared["table"]): Declared[] {
  return Object.entries(fields).flatMap(([name, field]): Declared[] => {
    const path = above + name;
    const levels = [...around, fields];
    if (isNumber(field)) return [{ path, field, around: levels, table }];
    const members = membersOf(field.unit);
    if (!members) return [];
    const isList = typeof field.unit === "object" && "array" in field.unit;
    return declaredIn(members, `${path}.`, levels, table ?? (isList ? [path, members] : undefined));
  });
}

/** The days that are those of the figure's row if it has days. */
const ROW_DAYS = new Set(["span", "until", "step", "firstStep", "untilStep"]);

/** Whether all orders and all spend of a basis are those of the row, or of days that the basis names itself. */
function isOfRow({ orders = [], spend = [] }: Basis, { table }: Declared, { tables }: Endpoint): boolean {
  if (!table) return true;
  const [path, fields] = table;
  const names = namesOf(fields, tables?.[path]);
  const first = names.key[0]?.split("|")[0] ?? "";
  const hasDays = fields[first]?.unit === "day" || (fields.from?.unit === "day" && fields.to?.unit === "day");
  return [
    ...orders.map(({ ordered, acquired, own, first, isRow }) => ({
      days: [ordered, acquired],
      isOne: isRow,
      attributes: [own, first],
    })),
    ...spend.map(({ spent, of }) => ({ days: [spent], isOne: false, attributes: [of] })),
  ].every(({ days, isOne, attributes }) => {
    const isOfDays = days.some((one) => one !== undefined && ROW_DAYS.has(one));
    return isOne || !isOfDays || hasDays || (attributes.includes("row") && names.of !== undefined);
  });
}

const faultsOf = (judge: (figure: Declared, endpoint: Endpoint) => boolean): string[] =>
  of.flatMap((endpoint) =>
    declaredIn(answerFields(endpoint)).flatMap((figure) =>
      judge(figure, endpoint) ? [] : [`${endpoint.path} ${figure.path}`],
    ),
  );

describe("What endpoints declare for explanations [D56]", () => {
  it("distinguishes the rows of a table: without `tables`, days or an attribute all would have the same orders", () => {
    const faults = faultsOf((figure, endpoint) => !figure.field.basis || isOfRow(figure.field.basis, figure, endpoint));
    expect(faults).to.deep.equal(OF_ALL_ROWS);
  });

  it("has a basis for each figure, or a formula that names figures with one", () => {
    const names = ({ field, around }: Declared): boolean =>
      operandsIn(field.formula ?? "").some((one) =>
        around.some((fields) => Object.hasOwn(fields, one.split(".")[0] ?? "")),
      );
    const isOfNoRows = (path: string): boolean => OF_NO_ROWS.some((end) => `.${path}`.endsWith(`.${end}`));
    const faults = faultsOf((figure) => figure.field.basis !== undefined || names(figure) || isOfNoRows(figure.path));
    expect(faults).to.deep.equal([]);
  });

  it("breaks rows down only by attributes whose orders are known", () => {
    for (const { path, tables = {}, params } of of) {
      for (const { of: value } of Object.values(tables)) {
        if (!value) continue;
        const chosen = "parameter" in value ? params[value.parameter] : undefined;
        const choices = chosen?.kind === "choice" || chosen?.kind === "crossing" ? chosen.of : ["?"];
        const values = "parameter" in value ? choices : [value.attribute];
        for (const one of values) expect(ATTRIBUTES, path).to.have.property(one);
      }
    }
  });

  it("would find a table of weekdays, whose orders no words of a basis can name", () => {
    const [series] = of.filter(({ path }) => path === "/v1/profitability/trend");
    const weekdays = { weekday: { unit: "count", description: "" }, revenue: { unit: "currency", description: "" } };
    const basis: Basis = { orders: [{ ordered: "span" }] };
    const figure = { path: "data.revenue", field: weekdays.revenue as Field, around: [] };
    const table = ["data", weekdays as unknown as Fields] as const;
    expect(isOfRow(basis, { ...figure, table }, { ...series, tables: {} } as Endpoint)).to.equal(false);
    expect(isOfRow(basis, { ...figure, table: undefined }, series as Endpoint)).to.equal(true);
  });
});
