import { CASES } from "../../src/documents/cases.ts";
import { holdsTo, isOfHistory } from "../support/caseTests.ts";
import { AURORA } from "../support/data.ts";
import { landedHistory } from "../support/shared.ts";

describe("The cases of data with a history", () => {
  holdsTo(CASES, landedHistory, AURORA, isOfHistory);
});
