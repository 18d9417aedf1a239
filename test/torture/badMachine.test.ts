import { badMachine } from "../../torture/parts/badMachine.ts";

describe("Torture: bad machine", () => {
  it(badMachine.promise, async () => {
    await badMachine.run("short", 0);
  });
});
