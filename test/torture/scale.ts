import type { Part, Scale } from "../../torture/part.ts";

const SEED = Number(process.env.SEED ?? 20_250_403);

/** A torture part, which makes its attack few times. Without the programs that it needs it is pending. */
export function torture(part: Part, scale: Scale, missing: () => readonly string[] = () => []): void {
  describe(`Torture, ${scale}: ${part.name}`, () => {
    it(part.promise, async function () {
      if (missing().length > 0) return this.skip();
      await part.run(scale, SEED);
    }).timeout(600_000);
  });
}
