import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Derivations } from "../../src/core/marts/derivations.ts";

describe("Derivations", () => {
  /** Derivations that end when the test says so, and the organizations in the order of their turns. */
  const controlled = () => {
    const begun: string[] = [];
    const failures: string[] = [];
    const ends = new Map<string, (error?: Error) => void>();
    const derivations = new Derivations(
      (organization) =>
        new Promise((done, fail) => {
          begun.push(organization);
          ends.set(organization, (error) => (error ? fail(error) : done()));
        }),
      (organization, error) => failures.push(`${organization}: ${(error as Error).message}`),
    );
    return { derivations, begun, failures, end: (id: string, error?: Error) => ends.get(id)?.(error) };
  };

  it("run one at a time, each once, with those that a request waits for first", async () => {
    const { derivations, begun, end } = controlled();
    const first = derivations.ask("a", "changed");
    const others = ["b", "c", "d"].map((organization) => derivations.ask(organization, "changed"));
    expect(derivations.ask("d", "missing")).to.equal(others[2]);
    derivations.hurry("d");
    await sleep(5);
    expect(begun).to.deep.equal(["a"]);
    for (const organization of ["a", "d", "b", "c"]) {
      expect(derivations.has(organization)).to.equal(true);
      end(organization);
      await sleep(5);
    }
    expect(begun).to.deep.equal(["a", "d", "b", "c"]);
    expect(await Promise.all([first, ...others])).to.deep.equal([true, true, true, true]);
    expect(derivations.has("a")).to.equal(false);
  });

  it("pause after a failure before they are tried again for the same reason, but not for another", async () => {
    const { derivations, begun, failures, end } = controlled();
    const failing = derivations.ask("a", "settings 1");
    await sleep(5);
    end("a", new Error("disk full"));
    expect(await failing).to.equal(false);
    expect(await derivations.ask("a", "settings 1")).to.equal(false);
    expect(begun).to.deep.equal(["a"]);
    expect(failures).to.deep.equal(["a: disk full"]);
    const other = derivations.ask("a", "settings 2");
    await sleep(5);
    end("a");
    expect(await other).to.equal(true);
    expect(begun).to.deep.equal(["a", "a"]);
  });
});
