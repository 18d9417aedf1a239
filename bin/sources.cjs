const { readdirSync, statSync } = require("node:fs");
const path = require("node:path");

const SRC = path.join(__dirname, "..", "src");

/** The sources as they are now: names, sizes and times. What was compiled is theirs if it was compiled from the same. */
function sources() {
  const files = readdirSync(SRC, { recursive: true }).sort();
  const found = files.map((file) => [file, statSync(path.join(SRC, file))]);
  return JSON.stringify(
    found.filter(([, at]) => at.isFile()).map(([file, { size, mtimeMs }]) => [file, size, mtimeMs]),
  );
}

module.exports = { sources };
