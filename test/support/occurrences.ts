import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { Database, literal } from "../../src/core/engine/database.ts";

/** Where a text stands below a folder, in every file as its reader reads it: unpacked, decoded, in any letters. */
export async function occurrences(folder: string, text: string): Promise<Record<string, number>> {
  const database = await Database.open();
  try {
    const found: Record<string, number> = {};
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const texts = await textsIn(database, await readFile(file), file);
      const n = texts.reduce((sum, one) => sum + count(one, text), 0);
      if (n > 0) found[path.relative(folder, file)] = n;
    }
    return found;
  } finally {
    database.close();
  }
}

function count(content: string, text: string): number {
  const forms = [content.replaceAll("\\u0040", "@"), content.replaceAll(/%25/g, "%").replaceAll(/%40/gi, "@")];
  // `ana.b@c.d` is another address than `b@c.d`.
  const pattern = new RegExp(`(?<![\\w.+-])${text.replaceAll(".", "\\.")}`, "gi");
  return Math.max(...forms.map((form) => [...form.matchAll(pattern)].length));
}

async function textsIn(database: Database, bytes: Buffer, file: string): Promise<string[]> {
  const head = bytes.toString("latin1", 0, 4);
  if (head === "PAR1") {
    return database.use((session) =>
      session.texts(
        `select to_json(rows)::varchar from read_parquet(${literal(file)}, hive_partitioning = false) as rows`,
      ),
    );
  }
  if (head.startsWith("\x1f\x8b")) return textsIn(database, gunzipSync(bytes), file);
  if (head.startsWith("PK")) {
    const parts = Object.values(unzipSync(bytes));
    return (await Promise.all(parts.map((part) => textsIn(database, Buffer.from(part), file)))).flat();
  }
  return [head.startsWith("\xff\xfe") ? bytes.toString("utf16le") : bytes.toString("utf8")];
}
