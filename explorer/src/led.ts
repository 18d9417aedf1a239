import { signal } from "@preact/signals";

/** The organization that is led from its first file to its first figure: it goes on although data have landed meanwhile. */
export const led = signal<string | undefined>(undefined);
