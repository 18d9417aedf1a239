import { expect } from "chai";
import { CAUSES } from "../independent/restatements.ts";
import { compareHistories } from "./compareStates.ts";

const HISTORIES = Number(process.env.HISTORIES ?? 10);
const SEED = Number(process.env.SEED ?? 100);

describe("What changed [D84]", () => {
  it(`is what ${HISTORIES} random histories say, and what both states answer themselves`, async () => {
    const seeds = Array.from({ length: HISTORIES }, (_, no) => SEED + no);
    const seen = await compareHistories(seeds, 4);
    if (HISTORIES >= 10) expect([...seen]).to.include.members([...CAUSES, "settings", "spend", "data", "unknown"]);
  }).timeout(1_200_000);
});
