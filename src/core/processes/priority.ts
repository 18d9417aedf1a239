import { setPriority } from "node:os";

/** The lowest but some: also on a busy machine the process goes on. */
const LOW = 10;

/** In a command: newest data, and those who ask for them, go first. */
export const goLast = (): void => setPriority(LOW);
