/** What a number of runs took, in milliseconds. */
export interface Times {
  readonly median: number;
  readonly p95: number;
}

export function timesOf(milliseconds: readonly number[]): Times {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

/** How long it takes once, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Several things measured in turn, each once a round, so that whatever else the machine does meets all of them alike.
 * One round before is not counted.
 */
export async function inTurn(rounds: number, works: readonly (() => Promise<unknown>)[]): Promise<Times[]> {
  const taken = works.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [n, work] of works.entries()) {
      const milliseconds = await timed(work);
      if (round >= 0) taken[n]?.push(milliseconds);
    }
  }
  return taken.map(timesOf);
}

/** Times of each request, and how many a second, of so many clients that each ask again as soon as they are answered. */
export async function together(
  clients: number,
  seconds: number,
  ask: () => Promise<unknown>,
): Promise<Times & { readonly perSecond: number }> {
  const taken: number[] = [];
  const began = performance.now();
  const end = began + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) taken.push(await timed(ask));
    }),
  );
  return { ...timesOf(taken), perSecond: (taken.length * 1000) / (performance.now() - began) };
}
