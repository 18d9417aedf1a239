import type { Part, Scale } from "../../torture/part.ts";

const SEED = Number(process.env.SEED ?? 20_250_403);

/** A torture part, which makes its attack few times. */
export function torture(part: Part, scale: Scale): void {
  describe(`Torture, ${scale}: ${part.name}`, () => {
    it(part.promise, async () => {
      await part.run(scale, SEED);
    }).timeout(600_000);
  });
}
