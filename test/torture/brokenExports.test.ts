import { brokenExports } from "../../torture/parts/brokenExports.ts";

describe("Torture: broken exports", () => {
  it(brokenExports.promise, async () => {
    await brokenExports.run("short", Number(process.env.SEED ?? 20_250_403));
  });
});
