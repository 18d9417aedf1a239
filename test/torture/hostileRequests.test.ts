import { hostileRequests } from "../../torture/parts/hostileRequests.ts";

it("torture: hostile requests", async () => {
  await hostileRequests.run("short", 20_261_122);
}).timeout(600_000);
