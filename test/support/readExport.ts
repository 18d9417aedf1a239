import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { text } from "../../src/core/contract/field.ts";
import type { RecordDeclaration } from "../../src/core/contract/record.ts";
import { FileError } from "../../src/core/landing/bytes/scan.ts";
import type { ExportContent } from "../../src/core/landing/read/lineWriter.ts";
import { readExport } from "../../src/core/landing/read/read.ts";

export const record: RecordDeclaration = {
  connector: "crm",
  name: "things",
  grain: "A thing.",
  fields: { id: text(), name: text() },
  key: ["id"],
  envelopes: ["data[]"],
  context: ["head"],
  plain: ["name"],
  bulk: true,
};

interface Found extends Omit<ExportContent, "unreadable"> {
  readonly unreadable: readonly { readonly position: number; readonly reason: string; readonly row: string }[];
  /** position, report, text of each row */
  readonly lines: readonly [number, number, string][];
  readonly contexts: readonly string[];
}

export async function read(content: string | Buffer, of: RecordDeclaration = record): Promise<Found> {
  const folder = await mkdtemp(path.join(tmpdir(), "lucra-read-"));
  try {
    const file = path.join(folder, "export");
    const at = (name: string): string => path.join(folder, name);
    const target = {
      lines: at("lines"),
      contexts: at("contexts"),
      unreadable: at("unreadable"),
      fileNo: 3,
      name: "x",
      modified: "2025-01-01T00:00:00.000Z",
      settings: {},
    };
    await writeFile(file, content);
    const handle = await open(file);
    const reading = await readExport(handle, of, target).finally(() => handle.close());
    const linesOf = async (name: string): Promise<string[]> => (await readFile(name, "utf8")).split("\n").slice(0, -1);
    const lines = (await linesOf(target.lines)).map((line): [number, number, string] => {
      const [fileNo, position, report, ...row] = line.split("\t");
      expect(fileNo).to.equal("3");
      return [Number(position), Number(report), row.join("\t")];
    });
    const unreadable = (reading.unreadable > 0 ? await linesOf(target.unreadable) : []).map((line) => {
      const [fileNo, position, reason = "", row = ""] = line.split("\t");
      expect(fileNo).to.equal("3");
      return { position: Number(position), reason, row: JSON.parse(row) as string };
    });
    expect(unreadable).to.have.lengthOf(reading.unreadable);
    return { ...reading, unreadable, lines, contexts: await linesOf(target.contexts) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const rows = (found: Found): string[] => found.lines.map(([, , row]) => row);

export async function refusal(content: string | Buffer): Promise<string> {
  try {
    await read(content);
  } catch (error) {
    expect(error).to.be.instanceOf(FileError);
    return (error as Error).message;
  }
  throw new Error("was read");
}
