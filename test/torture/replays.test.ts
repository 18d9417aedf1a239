import { replays } from "../../torture/parts/replays.ts";

describe("Torture: replays", () => {
  it(replays.promise, async () => {
    await replays.run("short", Number(process.env.SEED ?? 20_250_403));
  });
});
