import { expect } from "chai";
import fc from "fast-check";
import {
  array,
  currency,
  day,
  duckdbType,
  type Field,
  flag,
  instant,
  kindOf,
  number,
  text,
  count as whole,
} from "../../src/core/contract/field.ts";
import type { RecordDeclaration } from "../../src/core/contract/record.ts";
import { Database, literal, type Session } from "../../src/core/engine/database.ts";
import { stagingMacros } from "../../src/core/engine/sql.ts";
import { checkedRows } from "../../src/core/landing/map/mapping.ts";

const FIELDS: Readonly<Record<string, Field>> = {
  text: text(),
  flag: flag(),
  whole: whole(),
  number: number(),
  amount: currency(),
  day: day(),
  instant: instant(),
};
const record: RecordDeclaration = {
  connector: "storea",
  name: "values",
  grain: "A value.",
  fields: { ...FIELDS, list: array(FIELDS) },
  key: [],
};

/** The definition of each type, without any shortcut, over a value without surrounding white space. */
const DEFINITIONS: Readonly<Record<string, string>> = {
  text: "case when v is not null then raw end",
  flag: "try_cast(v as boolean)",
  whole: "case when try_cast(v as decimal(18, 6)) % 1 = 0 then try_cast(v as bigint) end",
  number: "case when isfinite(try_cast(v as double)) then try_cast(v as double) end",
  amount: "try_cast(v as decimal(16, 6))::decimal(18, 6)",
  day: `case when year(try_cast(v as date)) between 1900 and 2200 and v between '0' and ':'
      and (try_cast(v as timestamp) is not null or try_cast(v as timestamptz) is not null)
    then try_cast(v as date) end`,
  instant: `case when year(try_cast(v as timestamp)) between 1900 and 2200 and v between '0' and ':'
      and abs(epoch_us(try_cast(v as timestamptz)) - epoch_us(try_cast(v as timestamp))) < ${16 * 3600 * 1e6}
    then try_cast(v as timestamptz) end`,
};

const digits = (most: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: most });
const two = fc.integer({ min: 0, max: 61 }).map((n) => String(n).padStart(2, "0"));
const year = fc.oneof(
  fc.constantFrom("1899", "1900", "2200", "2201", "0001", "-2020", "12020", "020"),
  fc.integer({ min: 1890, max: 2210 }).map(String),
);
const date = fc.oneof(
  fc.tuple(year, two, two).map((parts) => parts.join("-")),
  fc
    .date({ min: new Date("1899-12-30"), max: new Date("2201-01-02"), noInvalidDate: true })
    .map((value) => value.toISOString().slice(0, 10)),
);
const fraction = fc.oneof(
  fc.constant(""),
  digits(9).map((text) => `.${text}`),
);
const offset = fc.oneof(
  fc.constantFrom(
    "",
    "Z",
    "z",
    " Z",
    "+00:00",
    "-00:00",
    "+00",
    "+0000",
    "+99:00",
    "-16:00",
    "+15:59",
    "+00:00Z",
    "Z+00:00",
    " UTC",
  ),
  fc.tuple(fc.constantFrom("+", "-", " "), two, two).map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
);
const time = fc.oneof(
  fc.tuple(two, two, two).map((parts) => parts.join(":")),
  fc.tuple(two, two).map((parts) => parts.join(":")),
  fc.constantFrom("23:59:59.999999", "24:00:00", "00:00:00"),
);
const moment = fc
  .tuple(date, fc.constantFrom("T", " ", "t", ""), time, fraction, offset)
  .map((parts) => parts.join(""));
const figure = fc
  .tuple(fc.constantFrom("", "-", "+"), digits(14), fraction, fc.constantFrom("", "e2", "E-3", "e999", "-", "x"))
  .map((parts) => parts.join(""));
const word = fc.oneof(
  fc.constantFrom(
    "true",
    "FALSE",
    "t",
    "0",
    "yes",
    "nan",
    "inf",
    "-Infinity",
    "infinity",
    "epoch",
    "today",
    "null",
    "",
    "Z",
    "É",
    "~",
    "1_000",
  ),
  fc.string({ maxLength: 6 }).filter((text) => !text.includes("\0")),
);
const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\r", "\n", "\u00a0"), maxLength: 2 });
const value = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: fc.constant("") }, space),
    fc.oneof(moment, date, figure, word),
    fc.oneof({ weight: 8, arbitrary: fc.constant("") }, space),
  )
  .map((parts) => parts.join(""))
  // The engine reads a sign before white space as 0, but not a sign alone.
  .filter((text) => !/^\s*[-+]\s+$/.test(text));

const EDGES = [
  " epoch",
  "\u00a02025-03-01T10:00:00Z\u00a0",
  "1899-12-31T23:59:59Z",
  "1900-01-01",
  "2200-12-31T23:59:59.999999Z",
  "2201-01-01T00:00:00+00:00",
  "2025-03-01T10:00:00+15:59",
  "2025-03-01T10:00:00+16:00",
  "\u00a01530.5",
  "2.5",
];

/** Each value in a column of its own and in a list: as it landed, and as the definitions have it. */
async function compared(session: Session, name: string, values: readonly string[]): Promise<unknown[]> {
  const field = FIELDS[name] as Field;
  const others = Object.keys(FIELDS).map((other) => (other === name ? `v as ${other}` : `null::varchar as ${other}`));
  const members = Object.keys(FIELDS).map((other) => `${other}: ${other === name ? "v" : "null::varchar"}`);
  const texts = `(select unnest([${values.map(literal).join(", ")}]) as v, generate_subscripts([${values.map(() => "0").join(", ")}], 1) as n)`;
  const mapping = `select 1 as file_no, n as position, ${others.join(", ")}, [{${members.join(", ")}}] as list from ${texts}`;
  return session.rows(
    `with landed as (select _position as n, ${name} as own, list[1].${name} as listed, _problem as problem
        from (${checkedRows(record, mapping)})),
      defined as (select n, v as raw, ${DEFINITIONS[name]} as fits, v is null as is_blank
        from (select n, v as raw, nullif(trim(v, e' \\t\\r\\n' || chr(160)), '') as v from ${texts}))
      select raw, fits::varchar as fits, own::varchar as own, listed::varchar as listed, problem
      from landed join defined using (n)
      where typeof(own) <> typeof(null::${duckdbType(field)})
        or own is distinct from fits or listed is distinct from fits
        or (problem is null) <> (is_blank or fits is not null)
        or problem not like '${name}: "%" is not %; list[].${name}: "%" is not %'
      order by n`,
  );
}

describe("The types of landed values", () => {
  let database: Database;
  let session: Session;

  before(async () => {
    database = await Database.open({ threads: 1 });
    session = await database.session();
    await session.run(stagingMacros("storea"));
  });

  after(() => {
    session.close();
    database.close();
  });

  for (const name of Object.keys(FIELDS)) {
    it(`are as defined for ${kindOf(FIELDS[name] as Field)}, in columns and in lists`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(value, { minLength: 50, maxLength: 200 }), async (values) => {
          expect(await compared(session, name, values)).to.deep.equal([]);
        }),
        { numRuns: 15, examples: [[EDGES]] },
      );
    });
  }
});
