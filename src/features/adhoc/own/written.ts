import { csvOf } from "./csv.ts";
import type { Form, OwnResult, OwnText } from "./messages.ts";
import { Budget } from "./values.ts";

type Columns = OwnResult["columns"];

/** Takes the rows of a result one by one. A row that does not fit fails with `TooLarge`, and is left out. */
interface Writing<R> {
  add(row: readonly unknown[]): void;
  result(truncated: boolean): R;
}

/** A result as values. */
export function valuesOf(columns: Columns): Writing<OwnResult> {
  const rows: (readonly unknown[])[] = [];
  return { add: (row) => void rows.push(row), result: (truncated) => ({ columns, rows, truncated }) };
}

/** A result as the text that is sent, of at most so many bytes and what is around the rows. */
export function textOf(form: Form, columns: Columns, bytes: number): Writing<OwnText> {
  const { before, between, row: write, after } = form.format === "csv" ? csv(form, columns) : json(columns);
  const budget = new Budget(bytes);
  const parts = [Buffer.from(before)];
  let rowCount = 0;
  return {
    add: (row) => {
      const text = Buffer.from(`${rowCount > 0 ? between : ""}${write(row)}`);
      budget.take(text.length);
      parts.push(text);
      rowCount++;
    },
    result: (truncated) => ({
      body: Buffer.concat([...parts, Buffer.from(after(rowCount, truncated))]),
      rowCount,
      truncated,
    }),
  };
}

/** How the text of a form is put together. */
interface Pieces {
  readonly before: string;
  readonly between: string;
  readonly row: (values: readonly unknown[]) => string;
  readonly after: (rowCount: number, truncated: boolean) => string;
}

const json = (columns: Columns): Pieces => ({
  before: `{"columns":${JSON.stringify(columns)},"rows":[`,
  between: ",",
  row: (values) => JSON.stringify(values),
  after: (rowCount, truncated) => `],${JSON.stringify({ rowCount, truncated }).slice(1)}`,
});

function csv({ isBrazilian }: Extract<Form, { format: "csv" }>, columns: Columns): Pieces {
  const { heading, row } = csvOf(columns, isBrazilian);
  return { before: heading, between: "", row, after: () => "" };
}
