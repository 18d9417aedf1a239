import { expect } from "chai";
import { LastingChild } from "../../src/core/processes/lastingChild.ts";
import { DataFolder } from "../support/data.ts";

describe("A process that runs one command after the other", function () {
  this.timeout(60_000);
  let data: DataFolder;
  let child: LastingChild;

  beforeEach(async () => {
    data = await DataFolder.empty();
    child = new LastingChild(data.path, 1_000);
  });

  afterEach(async () => {
    await child.terminate(1_000);
    await data.remove();
  });

  const VERSION = { code: 0, signal: null, stdout: "0.1.0\n", stderr: "" };

  it("gives each its own output and status", async () => {
    expect(await child.run(["--version"])).to.deep.equal(VERSION);
    const wrong = await child.run(["keys", "show"]);
    expect([wrong.code, wrong.stdout]).to.deep.equal([2, ""]);
    expect(wrong.stderr).to.match(/unknown command/);
    const long = await child.run(["--help"]);
    expect([long.stdout, long.stderr]).to.deep.equal(["", "wrote a report of more than 1000 characters"]);
    expect([child.rest(), child.wake()]).to.deep.equal([true, true]);
    expect(await child.run(["--version"])).to.deep.equal(VERSION);
  });

  it("runs no other when it ended, and says which signal ended it", async () => {
    expect(await child.run(["--version"])).to.deep.equal(VERSION);
    expect(child.rest()).to.equal(true);
    await child.terminate(1_000);
    expect(child.wake()).to.equal(false);
    child = new LastingChild(data.path, 1_000);
    const running = child.run(["sync"]);
    await child.terminate(1_000);
    expect(await running).to.deep.include({ code: null, signal: "SIGTERM" });
    expect(child.rest()).to.equal(false);
  });

  it("ends after its command when its parent lets it go", async () => {
    expect(await child.run(["--version"])).to.deep.equal(VERSION);
    const running = child.run(["sync", "--json"]);
    child.end();
    expect(JSON.parse((await running).stdout).failures).to.deep.equal([]);
    await child.closed;
    child = new LastingChild(data.path, 1_000);
    child.end();
    await child.closed;
  });
});
