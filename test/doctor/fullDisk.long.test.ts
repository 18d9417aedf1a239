import path from "node:path";
import { expect } from "chai";
import { ROOT } from "../support/data.ts";
import type { OnFullDisk } from "../support/fullDisk.ts";
import { onSmallDisk } from "../support/smallDisk.ts";

describe("On a full disk", () => {
  it("doctor reports it and the rest; the service starts, and answers 503 only where it would have to write", async function () {
    this.timeout(180_000);
    const module = path.join(ROOT, "test/support/fullDisk.ts");
    const found = await onSmallDisk<OnFullDisk>("24m", { module, name: "fillDisk" });
    // Where mounting is not permitted.
    if (!found) return this.skip();
    const { doctor, before, after } = found;
    expect(before).to.deep.equal([200, 503]);
    expect(after, "exports are spooled elsewhere").to.deep.equal([200, 200]);
    expect(doctor.status).to.equal(1);
    expect(doctor.stdout).to.match(/no room on the disk of .*: nothing lands/);
    expect(doctor.stdout).to.match(/2000 orders|\d orders count/);
  });
});
