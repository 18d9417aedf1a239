type Amounts = Readonly<Record<string, unknown>>;
type Lines = Readonly<Record<string, Amounts>>;

interface Statement {
  readonly statement?: Lines;
  readonly data?: readonly Amounts[] | null;
  readonly previousPeriod?: Amounts | null;
  readonly changes?: Lines | null;
}

/** The lines that the cost of goods is in. */
const OF_GOODS = ["goods", "contribution1", "contribution2", "contribution3", "profit"];

/** Those lines with another value; only what is there, as a share leaves lines out. */
const withOnes = <T extends Amounts>(lines: T, value: (line: unknown) => unknown): T =>
  Object.fromEntries(
    Object.entries(lines).map(([name, line]) => [name, OF_GOODS.includes(name) ? value(line) : line]),
  ) as T;

const unknownLine = (line: unknown): unknown => ({ ...(line as Amounts), amount: null, share: null });
const unknownChange = (): unknown => ({ amount: null, pct: null });
const nothing = (): unknown => null;

/** Whether there is revenue, but no unit of a product: the orders came from a table without products. */
export const hasNoProducts = ({ statement }: Statement): boolean =>
  statement?.goods?.source === null && Number(statement.revenue?.amount ?? 0) > 0;

/**
 * An answer as the page shows it. The statement deducts nothing for orders without products, as there is nothing to cost; here
 * the cost of their goods is unknown, and so is what is left.
 */
export function withKnownGoods<T>(answer: T): T {
  const given = (answer ?? {}) as Statement;
  if (!given.statement || !hasNoProducts(given)) return answer;
  const { data, previousPeriod, changes } = given;
  return {
    ...answer,
    statement: withOnes(given.statement, unknownLine),
    ...(data ? { data: data.map((row) => withOnes(row, nothing)) } : {}),
    ...(previousPeriod ? { previousPeriod: withOnes(previousPeriod, nothing) } : {}),
    ...(changes ? { changes: withOnes(changes, unknownChange) } : {}),
  };
}
