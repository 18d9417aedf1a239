import { tenancy } from "../../torture/parts/tenants.ts";

it("torture: tenants", async () => {
  await tenancy.run("short", 7);
}).timeout(600_000);
