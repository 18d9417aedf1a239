/** A signal that ends the process at once would leave behind what was started: the process exits instead. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const exit = (): void => process.exit(1);

/** Has something done when the process ends before it was done; returns how to forget it. */
export function atExit(work: () => void): () => void {
  process.once("exit", work);
  for (const signal of SIGNALS) process.on(signal, exit);
  return () => {
    process.removeListener("exit", work);
    for (const signal of SIGNALS) process.removeListener(signal, exit);
  };
}
