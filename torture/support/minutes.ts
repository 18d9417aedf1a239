/** How long a part goes on that could go on for ever: what `--minutes` says, else its own measure. */
export function minutes(fallback: number): number {
  const told = Number(process.env.TORTURE_MINUTES);
  return told > 0 ? told : fallback;
}
