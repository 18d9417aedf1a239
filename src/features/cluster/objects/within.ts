/** Waits for the end of the work, at most so long. */
export async function within(
  milliseconds: number,
  work: Promise<void>,
): Promise<"done" | "late" | { readonly error: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((done) => {
    timer = setTimeout(() => done("late"), milliseconds);
  });
  const ended = work.then(
    () => "done" as const,
    (error: unknown) => ({ error }),
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}
