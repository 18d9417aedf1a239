import type { Part } from "../../torture/part.ts";

const SEED = Number(process.env.SEED ?? 20_250_403);

/** A torture part in its short form: the same attack, fewer times. */
export function short(part: Part): void {
  describe(`Torture: ${part.name}`, () => {
    it(part.promise, async () => {
      await part.run("short", SEED);
    }).timeout(600_000);
  });
}
