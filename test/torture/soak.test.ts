import { soak } from "../../torture/parts/soak.ts";

it("torture: soak", async () => {
  await soak.run("short", 7);
}).timeout(600_000);
