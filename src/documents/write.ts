import "../features/index.ts";
import { writeFileSync } from "node:fs";
import { documents } from "./index.ts";

for (const [file, text] of Object.entries(await documents())) {
  writeFileSync(file, text);
  console.log(file);
}
