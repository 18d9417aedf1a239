import { mutation } from "../../torture/parts/mutation.ts";

it("torture: mutation", async () => {
  await mutation.run("short", 7);
}).timeout(600_000);
