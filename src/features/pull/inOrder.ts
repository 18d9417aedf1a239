/** Runs work for all items with limited concurrency. The first error ends it, after the work that is under way. */
export async function inOrder<T, R>(items: Iterable<T>, most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const entries = [...items].entries();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const [n, item] of entries) {
      if (failure) return;
      try {
        results[n] = await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  if (failure) throw failure.error;
  return results;
}
