import { setPriority } from "node:os";

/** The lowest: even then a busy machine gives the process some of its time. */
const LOW = 19;

/** In a command: newest data, and those who ask for them, go first. */
export const goLast = (): void => setPriority(LOW);
