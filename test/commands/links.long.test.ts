import { expect } from "chai";
import { command } from "../support/command.ts";
import { AURORA, DataFolder, said } from "../support/data.ts";

describe("lucra links and a running service", () => {
  let data: DataFolder;

  beforeEach(async () => {
    data = await DataFolder.empty();
    await data.write(`organizations/${AURORA}.json`, JSON.stringify({ organizationId: AURORA, name: "Shop" }));
  });

  afterEach(() => data.remove());

  it("take effect, and end, within seconds", async () => {
    const child = data.start(["serve"], { PORT: "0", LUCRA_METRICS_PORT: "0", LUCRA_SHARE_LINKS: "on" });
    try {
      const log = await said(child, /"msg":"ready"/);
      const port = /"port":(\d+)/.exec(log)?.[1];
      const wanted = ["--organization", "shop", "--endpoint", "/v1/acquisition/channels", "--days", "7", "--json"];
      const made = await command(data, "links", "create", ...wanted);
      const { id, url } = JSON.parse(made.stdout);
      const status = async (): Promise<number> =>
        (await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`)).status;
      const within = async (wanted: number): Promise<void> => {
        for (let n = 0; n < 50 && (await status()) !== wanted; n++) await new Promise((done) => setTimeout(done, 300));
        expect(await status()).to.equal(wanted);
      };
      await within(200);
      await command(data, "organizations", "rename", "shop", "Other shop");
      await within(200);
      await command(data, "links", "revoke", id);
      await within(404);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
