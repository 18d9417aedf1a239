import { rateLimit } from "../../torture/parts/rateLimit.ts";

it("torture: rate limit and slow clients", async () => {
  await rateLimit.run("short", 7);
}).timeout(600_000);
