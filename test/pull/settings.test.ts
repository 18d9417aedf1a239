import { expect } from "chai";
import { readOrganization } from "../../src/core/organizations/settings.ts";
import { AURORA, SEARCHADS } from "../support/data.ts";

const faultsOf = (pull: unknown, connector = "searchads"): readonly string[] =>
  readOrganization(
    JSON.stringify({ organizationId: AURORA, name: "Shop", integrations: [{ id: SEARCHADS, connector, pull }] }),
    AURORA,
  ).faults;

const ACCOUNT = { customerId: "1234567890" };
const SINCE = "2023-06-01";

describe("the settings of a pull [D60]", () => {
  it("accepts a whole one", () => {
    const account = { ...ACCOUNT, loginCustomerId: "1234567891" };
    const tokenUrl = "http://[::1]:8080/token";
    const pull = {
      since: SINCE,
      account,
      records: ["campaigns"],
      baseUrl: "http://127.0.0.1:8700/googleads",
      tokenUrl,
    };
    expect(faultsOf(pull)).to.deep.equal([]);
    expect(faultsOf({ since: SINCE }, "crm")).to.deep.equal([]);
  });

  it("reports each fault with its place", () => {
    const wrong: [unknown, string][] = [
      [{ account: ACCOUNT }, "integrations[0].pull.since: missing"],
      [{ since: "2023-02-30", account: ACCOUNT }, "integrations[0].pull.since: a day such as 2023-06-01 is expected"],
      [{ since: SINCE }, "integrations[0].pull.account.customerId: missing"],
      [
        { since: SINCE, acount: ACCOUNT, account: ACCOUNT },
        "integrations[0].pull.acount: unknown, did you mean account?",
      ],
      [
        { since: SINCE, account: { customerId: "123-456-7890" } },
        "integrations[0].pull.account.customerId: a customer id",
      ],
      [{ since: SINCE, account: { ...ACCOUNT, shop: "x" } }, "integrations[0].pull.account.shop: unknown"],
      [
        { since: SINCE, account: ACCOUNT, records: ["campains"] },
        "integrations[0].pull.records[0]: no record that can be pulled, did you mean campaigns?",
      ],
      [
        { since: SINCE, account: ACCOUNT, baseUrl: "http://vendor.example" },
        "integrations[0].pull.baseUrl: an https address is expected",
      ],
      [
        { since: SINCE, account: ACCOUNT, tokenUrl: "https://user:word@vendor.example" },
        "integrations[0].pull.tokenUrl: an address without user",
      ],
    ];
    for (const [pull, fault] of wrong) expect(faultsOf(pull).join("; "), JSON.stringify(pull)).to.include(fault);
  });

  it("refuses an address of tokens for a vendor without short ones", () => {
    const pull = { since: SINCE, account: { adAccountId: "act_1" }, tokenUrl: "https://vendor.example/token" };
    expect(faultsOf(pull, "socialads").join()).to.include("integrations[0].pull.tokenUrl: ");
  });
});
