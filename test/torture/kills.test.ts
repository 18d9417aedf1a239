import { kills } from "../../torture/parts/kills.ts";

describe("Torture: landing under kill -9", () => {
  it(kills.promise, async () => {
    await kills.run("short", Number(process.env.SEED ?? 20_250_403));
  });
});
