const WIDTH = 120;
const HEIGHT = 32;
const EDGE = 3;

/** A small line without axes. A missing value is a gap in the line, not a zero. */
export function Spark({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (n: number): number => EDGE + (n / (values.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number): number =>
    most === least ? HEIGHT / 2 : HEIGHT - EDGE - ((value - least) / (most - least)) * (HEIGHT - 2 * EDGE);
  const points = values.map((value, n) => (value === null ? undefined : `${x(n).toFixed(1)} ${y(value).toFixed(1)}`));
  const path = points
    .map((point, n) => (point === undefined ? "" : `${n === 0 || points[n - 1] === undefined ? "M" : "L"}${point}`))
    .join("");
  const last = values.findLastIndex((value) => value !== null);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <path d={path} />
      <circle cx={x(last)} cy={y(values[last] ?? 0)} r="2.2" />
    </svg>
  );
}
