import { ApiError, type ApiErrorKind } from "../contract/error.ts";

/** The result, or an error as soon as the signal aborts. What is running goes on. */
export function unlessAborted<T>(running: Promise<T>, signal: AbortSignal, kind: ApiErrorKind): Promise<T> {
  return new Promise((done, fail) => {
    const abort = (): void => fail(new ApiError(kind));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    running.then(done, fail).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Does the work with a signal that aborts with any of these, or after this time. */
export async function withinTime<T>(
  milliseconds: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Not AbortSignal.timeout: Node 20 collects one that AbortSignal.any follows as garbage, and it never fires.
  const end = new AbortController();
  const limit = setTimeout(() => end.abort(), milliseconds);
  try {
    return await work(AbortSignal.any([...signals, end.signal]));
  } finally {
    clearTimeout(limit);
  }
}
