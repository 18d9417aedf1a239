import { landsAlike, others } from "../support/landsAlike.ts";

describe("The example of each record", () => {
  landsAlike(others);
});
