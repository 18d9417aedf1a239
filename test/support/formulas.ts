interface Explained {
  readonly formula: string | null;
  readonly inputs: readonly { readonly figure: string; readonly value: number | null }[];
}

const NAME = /[A-Za-z]\w*(?:\.\w+)*/g;

/**
 * The result of a formula whose operands are all figures or numbers; undefined if it has others. Without a divisor it is
 * what the formula says after the semicolon: 0.
 */
export function recomputed({ formula, inputs }: Explained): number | undefined {
  const [clause = ""] = (formula ?? "").split(/;|, before rounding/);
  const values = new Map(inputs.map(({ figure, value }) => [figure, value]));
  let isComplete = inputs.length > 0;
  const expression = clause
    .replaceAll(NAME, (name) => {
      const value = values.get(name) ?? [...values].find(([figure]) => figure.endsWith(`.${name}`))?.[1];
      if (typeof value !== "number") isComplete = false;
      return `(${value})`;
    })
    // A value without its sign.
    .replaceAll(/\|([^|]*)\|/g, "(($1) ** 2) ** 0.5")
    .replaceAll("×", "*")
    .replaceAll("−", "-");
  if (!isComplete || !/^[\d\s().+*/e-]+$/.test(expression)) return undefined;
  const result = Number(new Function(`return ${expression}`)());
  return Number.isFinite(result) ? result : 0;
}

/** Whether a result is the value: within half a percent, or 0.02, because inputs are rounded. A figure of nothing is null. */
export const isClose = (result: number, value: number | null): boolean =>
  Math.abs(result - (value ?? 0)) <= Math.max(0.02, Math.abs(value ?? 0) * 0.005);
