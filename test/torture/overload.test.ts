import { overload } from "../../torture/parts/overload.ts";

it("torture: overload and the end", async () => {
  await overload.run("short", 7);
}).timeout(600_000);
