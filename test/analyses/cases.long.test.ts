import { CASES } from "../../src/documents/cases.ts";
import { AURORA } from "../support/data.ts";
import { holdsTo, isOfHistory } from "../support/holdsTo.ts";
import { landedHistory } from "../support/shared.ts";

describe("The cases of data with a history", () => {
  holdsTo(CASES, landedHistory, AURORA, isOfHistory);
});
