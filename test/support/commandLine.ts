import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Ended } from "./data.ts";

export const run = promisify(execFile);

/** One line for the operator, no stack. */
export const oneLine = ({ stderr }: Pick<Ended, "stderr">): string => {
  expect(stderr.trimEnd().split("\n"), stderr).to.have.lengthOf(1);
  return stderr.trimEnd();
};
