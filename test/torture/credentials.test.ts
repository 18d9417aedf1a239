import { credentials } from "../../torture/parts/credentials.ts";

it("torture: credentials", async () => {
  await credentials.run("short", 7);
}).timeout(600_000);
