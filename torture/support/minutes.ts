/** The duration of a part that could run without end: `--minutes`, else its own default. */
export function minutes(fallback: number): number {
  const limit = Number(process.env.TORTURE_MINUTES);
  return limit > 0 ? limit : fallback;
}
