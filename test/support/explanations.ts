import { expect } from "chai";
import { COHORT_BREAKS } from "../../src/core/contract/attributes.ts";
import { figuresOf, valueAt } from "./figures.ts";
import { isClose, recomputed } from "./formulas.ts";
import { ANALYSES, type Service } from "./service.ts";

/** The answer of `/v1/explain`. */
export interface Explanation {
  readonly figure: string;
  readonly value: number | null;
  readonly formula: string | null;
  readonly isNullBecause?: string;
  readonly inputs: readonly { readonly figure: string; readonly value: number | null }[];
  readonly sql: readonly { readonly file: string; readonly text: string }[];
  readonly decisions: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly rows: {
    readonly ordersUsed: number;
    readonly ordersLeftOut: readonly { reason: string; orders: number; value: number }[];
    readonly spendRows: number;
  };
  readonly orders: string | null;
  readonly sources: readonly { readonly record: string; readonly files: number; readonly rows: number }[];
  readonly asOf: string;
}

/** Addresses of answers whose figures are compared with their explanations. */
export const COMPARED = [
  ...ANALYSES,
  "/v1/profitability/cards?startDate=2025-02-01&endDate=2025-02-28&compare=year&marginItems=amounts",
  "/v1/profitability/cohort?groupBy=quarter&view=logo&startDate=2025-01-10&endDate=2025-03-02",
  ...COHORT_BREAKS.map((value) => `/v1/profitability/cohort?breakBy=${value}`),
];

/** The parameters of the explanation of a figure. */
export function ofFigure(address: string, figure: string, row?: string): string {
  const [endpoint = "", query] = address.split("?");
  const own = Object.fromEntries(new URLSearchParams(query));
  return new URLSearchParams({ ...own, endpoint, figure, ...(row === undefined ? {} : { row }) }).toString();
}

/**
 * Compares figures of an answer with their explanations: of lists those of the first and the last element, and of all these
 * `most`, spread evenly. Returns how many, and how many of them were recomputed from their formulas.
 */
export async function compareFigures(
  service: Service,
  address: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ figures: number; computed: number }> {
  const { body } = await service.get(address);
  const all = [...figuresOf(address, body)];
  const every = Math.max(1, Math.floor(all.length / most));
  const figures = all.filter((_, no) => no % every === 0);
  const pages = new Map<string, number>();
  let computed = 0;
  for (const [figure, value] of figures) {
    const { status, body: answered } = await service.get(`/v1/explain?${ofFigure(address, figure)}`);
    const where = `${address} ${figure}`;
    expect(status, where).to.equal(200);
    const it = answered as unknown as Explanation;
    expect(it.value, where).to.equal(value);
    expect(it.isNullBecause !== undefined, where).to.equal(value === null);
    for (const input of it.inputs) {
      expect(valueAt(body, input.figure), `${where}: ${input.figure}`).to.equal(input.value);
    }
    if (it.orders !== null) {
      const rows = pages.get(it.orders) ?? (await rowsAt(service, it.orders));
      pages.set(it.orders, rows);
      expect(it.rows.ordersUsed, where).to.equal(rows);
    }
    expect(it.sql[0]?.file, where).to.match(/^sql\/[\w/-]+\.sql$/);
    expect(it.decisions, where).to.not.be.empty;
    const result = recomputed(it);
    if (result === undefined) continue;
    expect(isClose(result, value), `${where}: ${value}, recomputed ${result} from ${it.formula}`).to.equal(true);
    computed += 1;
  }
  return { figures: figures.length, computed };
}

async function rowsAt(service: Service, address: string): Promise<number> {
  const { body } = await service.get(`${address}&limit=5000`);
  return (body.data as unknown[]).length;
}
