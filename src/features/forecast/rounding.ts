/** Rounding of figures that code computes [D8]: half away from zero, with the tolerance of `sql/setup/rounding.sql`. */

const scaled = (value: number, digits: number): number => {
  const factor = 10 ** digits;
  const size = Math.round(Math.abs(value) * 1.000000000000001 * factor) / factor;
  return value < 0 && size > 0 ? -size : size;
};

/** Money, purchases and percentages. */
export const rounded = (value: number): number => scaled(value, 2);

/** A parameter, significant to four digits. */
export const significant = (value: number): number => Number(value.toPrecision(4));

const MICRO_PER_CENT = 10_000n;

/** An exact amount in millionths. */
export function money(micros: bigint): number {
  const size = micros < 0n ? -micros : micros;
  const cents = (size + MICRO_PER_CENT / 2n) / MICRO_PER_CENT;
  return (micros < 0n ? -1 : 1) * (Number(cents) / 100) + 0;
}
