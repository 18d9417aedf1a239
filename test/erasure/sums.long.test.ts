import { expect } from "chai";
import type { Organization } from "../../src/core/contract/settings.ts";
import { knownOrganizations } from "../../src/core/organizations/open.ts";
import { failed } from "../../src/core/sync/sync.ts";
import { eraseCustomer, findCustomer } from "../../src/features/erasure/erase.ts";
import type { Selector } from "../../src/features/erasure/targets.ts";
import { command } from "../support/command.ts";
import { AURORA, type DataFolder } from "../support/data.ts";
import { answersOf, PROBES } from "../support/service.ts";
import { landedFixtures } from "../support/shared.ts";

const settingsOf = async ({ path: folder }: DataFolder): Promise<Organization> =>
  (await knownOrganizations(folder, () => {}, [AURORA]))[0] as Organization;

const answered = (data: DataFolder): Promise<Record<string, string>> =>
  answersOf(data.config, AURORA, PROBES, Number.POSITIVE_INFINITY);

/** Fields of rows that say something of a person; the store's id of the customer becomes a number. */
const PERSONAL =
  /"(email|customer_id|follow_up_email|shipping_postal_code|last_message|cancel_reason)":("(?:[^"\\]|\\.)*"|null)/g;

const personless = (answers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(answers).map(([probe, text]) => [probe, text.replaceAll(PERSONAL, '"$1":…')]));

describe("An erasure of the fixtures' customers", function () {
  this.timeout(300_000);
  let data: DataFolder;

  beforeEach(async () => {
    data = await landedFixtures();
  });

  afterEach(() => data.remove());

  const ways: [string, Selector][] = [
    ["by an e-mail", { email: "Rui.Teles@example.com" }],
    ["by an order", { order: "1400001-01" }],
    ["by an order, with the others of its customer", { order: "1400012-01", with: true }],
    ["by the store's id of the customer", { customer: "9100000000005" }],
  ];
  for (const [how, selector] of ways) {
    it(`${how} changes no sum, no customer and no cohort, and nothing lands again [D98]`, async () => {
      const settings = await settingsOf(data);
      const before = await answered(data);
      const { orders, files } = await eraseCustomer(data.config, settings, selector);
      expect(orders).to.not.be.empty;
      expect(files.map(({ place }) => place)).to.include.members(["exports", "lake", "derived"]);
      const after = await answered(data);
      expect(personless(after)).to.deep.equal(personless(before));
      expect((await findCustomer(data.config, settings, selector)).files).to.deep.equal([]);
      const report = await data.sync();
      expect(failed(report)).to.equal(false);
      expect(report.outcomes.filter((one) => one.files > 0)).to.deep.equal([]);
      expect(await answered(data)).to.deep.equal(after);
    });
  }

  it("makes a pin's rows differ, and none of its figures: verify says erased [D83]", async () => {
    const made = await command(data, "pins", "create", "--organization", AURORA, "--name", "antes");
    expect(made.status, made.stderr).to.equal(0);
    const earlier = "/v1/profitability/cards?knownAt=antes";
    const cards = await answersOf(data.config, AURORA, [earlier]);
    await eraseCustomer(data.config, await settingsOf(data), { email: "alice.lima@example.com" });
    const said = await command(data, "pins", "verify", "antes", "--organization", AURORA, "--json");
    const [verified] = JSON.parse(said.stdout);
    expect(said.status).to.equal(1);
    expect(verified).to.include({ isEqual: false, files: "gone" });
    expect(verified.causes).to.deep.equal(["erased"]);
    expect(verified.figures).to.deep.equal([]);
    expect(verified.relations).to.not.be.empty;
    const rows = "/v1/crm/contacts?knownAt=antes&limit=5000";
    const then = await answersOf(data.config, AURORA, [earlier, rows], Number.POSITIVE_INFINITY);
    expect(then[rows])
      .to.match(/^200 /)
      .and.not.match(/alice\.lima/i);
    expect(JSON.parse(String(then[earlier]).slice(4))).to.deep.equal(JSON.parse(String(cards[earlier]).slice(4)));
  });
});
