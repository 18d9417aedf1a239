import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

// Prints the files and code lines of the core's folders and of each feature: lines without blanks and comments.
//
//     npm run size

const SRC = path.join(import.meta.dirname, "..", "src");

const isCode = (line: string): boolean => /\S/.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line);

/** `core/http/app.ts` is of `core/http`, `cli.ts` of `cli.ts`. */
const roomOf = (file: string): string =>
  file
    .split(path.sep)
    .slice(0, /^(?:core|features)\b/.test(file) ? 2 : 1)
    .join("/");

const rooms = new Map<string, { files: number; lines: number }>();
for (const file of readdirSync(SRC, { recursive: true, encoding: "utf8" })) {
  if (!file.endsWith(".ts")) continue;
  const lines = readFileSync(path.join(SRC, file), "utf8").split("\n").filter(isCode).length;
  for (const room of new Set([roomOf(file), `${file.split(path.sep)[0]} in all`])) {
    const known = rooms.get(room) ?? { files: 0, lines: 0 };
    rooms.set(room, { files: known.files + 1, lines: known.lines + lines });
  }
}
for (const [room, { files, lines }] of [...rooms].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${room.padEnd(28)}${String(files).padStart(5)} files${String(lines).padStart(8)} lines`);
}
