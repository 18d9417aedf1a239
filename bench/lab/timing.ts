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

/** How long a measurement may take: at least the least number of rounds, at most the most. */
export interface Rounds {
  /** Rounds before those that are counted: what is kept of an organization that is asked often is kept then. */
  readonly uncounted: number;
  readonly least: number;
  readonly most: number;
  /** No further round begins after these seconds. */
  readonly seconds: number;
}

/**
 * Measures several functions in turn, each once per round, so that other load of the machine affects all of them alike.
 * They get the number of the round, from 0 in the first one that is not counted. `rest`: waits before the first one that is.
 */
export async function inTurn(
  { uncounted, least, most, seconds }: Rounds,
  works: readonly ((round: number) => Promise<unknown>)[],
  rest: () => Promise<void> = async () => {},
): Promise<Times[]> {
  const taken = works.map((): number[] => []);
  let began = performance.now();
  for (let round = 0; round < uncounted + most; round++) {
    if (round === uncounted) {
      await rest();
      began = performance.now();
    }
    if (round >= uncounted + least && performance.now() - began > seconds * 1000) break;
    for (const [n, work] of works.entries()) {
      const milliseconds = await timed(() => work(round));
      if (round >= uncounted) taken[n]?.push(milliseconds);
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
