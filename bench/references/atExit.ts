/** A signal that ends the process at once would leave started servers behind: the process exits instead. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const exit = (): void => process.exit(1);

/** Runs a function if the process ends before it was called; returns how to cancel that. */
export function atExit(work: () => void): () => void {
  process.once("exit", work);
  for (const signal of SIGNALS) process.on(signal, exit);
  return () => {
    process.removeListener("exit", work);
    for (const signal of SIGNALS) process.removeListener(signal, exit);
  };
}
