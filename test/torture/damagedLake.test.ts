import { damagedLake } from "../../torture/parts/damagedLake.ts";

describe("Torture: damaged lake", () => {
  it(damagedLake.promise, async () => {
    await damagedLake.run("short", Number(process.env.SEED ?? 20_250_403));
  });
});
