import { access } from "node:fs/promises";

/** Whether a file or folder exists. */
export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
