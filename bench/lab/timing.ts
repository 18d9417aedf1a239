/** The times of a number of runs, in milliseconds. */
export interface Times {
  readonly median: number;
  readonly p95: number;
}

export function timesOf(milliseconds: readonly number[]): Times {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { median: at(0.5), p95: at(0.95) };
}

/** The time of one run, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * Measures several functions in turn, each once per round, so that other load of the machine affects all of them alike.
 * A first round is not counted.
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

/** Requests by clients that send the next one after each answer: the time of each, and the number per second. */
export async function together(
  clients: number,
  requests: number,
  ask: () => Promise<unknown>,
): Promise<Times & { readonly perSecond: number }> {
  const taken: number[] = [];
  let left = requests;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (left-- > 0) taken.push(await timed(ask));
    }),
  );
  return { ...timesOf(taken), perSecond: (taken.length * 1000) / (performance.now() - began) };
}
