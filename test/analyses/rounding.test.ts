import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { literal, type Row } from "../../src/core/engine/database.ts";
import { Fraction } from "../independent/fraction.ts";
import { AURORA } from "../support/data.ts";
import { Laboratory, Landed } from "../support/exports.ts";
import { landedFixtures } from "../support/shared.ts";

describe("Rounding [D8]", () => {
  let laboratory: Laboratory;

  before(async () => {
    laboratory = await Laboratory.open();
  });

  const rounded = (expression: string): Promise<string[]> =>
    laboratory.database.use((session) => session.texts(`select (${expression})::varchar`));

  it("starts from exact values, and is half away from zero, without a sign on zero", async () => {
    for (const [expression, text] of [
      ["ratio(0.18214999650825797)", "0.1821"],
      ["ratio(0.18215)", "0.1822"],
      ["ratio(-0.00005)", "-0.0001"],
      ["average(safe_divide(57, 200))", "0.29"],
      ["average(safe_divide(-57, 200))", "-0.29"],
      ["average(1.005)", "1.01"],
      ["percentage(-0.001)", "0.0"],
      ["money(1234567.0049999999::decimal(38, 10))", "1234567.0"],
      ["money(1234567.005::decimal(38, 10))", "1234567.01"],
      ["money(-0.004::decimal(18, 6))", "0.0"],
      ["row_money(1234567.0049999999::decimal(38, 10))", "1234567.0"],
      ["row_money(1234567.005::decimal(38, 10))", "1234567.01"],
      ["row_money(-0.004::decimal(18, 6))", "0.0"],
      ["row_money(null::decimal(38, 6))", "null"],
      ["rounded_count(2.5::decimal(18, 6))", "3"],
      ["months(safe_divide(13, 8))", "1.63"],
    ]) {
      expect(await rounded(String(expression)), expression).to.deep.equal([text]);
    }
  });

  it("of the amounts of many rows is that of one, also of those that are too large for it", async () => {
    const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
    // Around halves of cents, with what a truncated share leaves.
    const decimals = fc.oneof(digits(18), fc.constantFrom("005", "00499999999", "00500000001", "995", "99499999995"));
    const amount = fc
      .tuple(fc.constantFrom("", "-"), fc.oneof(digits(9), digits(12)), decimals)
      .map(([sign, whole, part]) => `${sign}${whole}.${part.slice(0, 18)}`);
    const amounts = fc.sample(amount, { numRuns: 4_000, seed: 18 });
    for (const type of ["decimal(38, 6)", "decimal(38, 12)", "decimal(38, 18)", "decimal(18, 6)"]) {
      const different = await laboratory.database.use((session) =>
        session.texts(
          `select unnest::varchar from unnest($1::json::varchar[]) where row_money(try_cast(unnest as ${type}))
            is distinct from money(try_cast(unnest as ${type}))`,
          [JSON.stringify(amounts)],
        ),
      );
      expect(different, type).to.deep.equal([]);
    }
  });

  it("starts from derived files without binary numbers: the engine writes HUGEINT as one", async () => {
    const { folder } = await new Landed(laboratory.database, (await landedFixtures()).path).generation(AURORA);
    const binary = await laboratory.database.use((session) =>
      session.texts(`select distinct string_split(parse_filename(file_name), '.')[1] || '.' || name as column
        from parquet_schema(${literal(path.join(folder, "*.parquet"))}) where type in ('DOUBLE', 'FLOAT') order by all`),
    );
    const vendors = /^(searchads|socialads|webanalytics|crm|store[ab]_\w+_rows)/;
    expect(binary.filter((column) => !vendors.test(column))).to.deep.equal([]);
  });

  it("of any quotient of amounts equals rounding the exact quotient", async () => {
    const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    const quotient = fc.tuple(amount, fc.integer({ min: 1, max: 1_000_000_000 }));
    // Around halves of four decimals: (2n + 1) / 20000, and what is next to it.
    const nearHalf = fc
      .tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 400_000 }), fc.integer({ min: -1, max: 1 }))
      .map(([n, k, off]): [number, number] => [(2 * n + 1) * k + off, 20_000 * k]);
    const pairs = fc.sample(fc.oneof(quotient, nearHalf), { numRuns: 4000, seed: 18 });
    const rows = await ofPairs(pairs, "ratio(safe_divide(a, b)) as ratio, average(safe_divide(a, b)) as average");
    for (const [no, [a, b]] of pairs.entries()) {
      const exact = new Fraction(a, b);
      expect(rows[no], `${a} / ${b}`).to.deep.equal({ ratio: exact.number(4), average: exact.number(2) });
    }
  });

  it("of any change of averages equals rounding the exact change, however small", async () => {
    // (a / 3 − b / 3) / (b / 3) × 100 with b = 20,000: halves of two decimals, which a difference of quotients misses.
    const halves = fc
      .tuple(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 1, max: 400 }))
      .map(([n, k]): [number, number] => [(20_000 + 2 * n + 1) * k, 20_000 * k]);
    const pairs = fc.sample(halves, { numRuns: 4000, seed: 18 });
    const rows = await ofPairs(pairs, "percentage(change(safe_divide(a, 3), safe_divide(b, 3))) as change");
    for (const [no, [a, b]] of pairs.entries()) {
      const exact = new Fraction(a, b).minus(new Fraction(1)).times(new Fraction(100));
      expect(rows[no], `${a} against ${b}`).to.deep.equal({ change: exact.number(2) });
    }
  });

  const ofPairs = (pairs: readonly (readonly [number, number])[], figures: string): Promise<Row[]> => {
    const values = pairs.map(([a, b]) => `(${a}::decimal(38, 6), ${b}::decimal(38, 6))`).join(", ");
    return laboratory.database.use((session) => session.rows(`select ${figures} from (values ${values}) as t (a, b)`));
  };
});
