import { readFile } from "node:fs/promises";
import { sha256OfText } from "./checksum.ts";

/** A small file with its checksum: a line of JSON, and the SHA-256 of that line. */
export function checkedText(value: unknown): string {
  const line = JSON.stringify(value);
  return `${line}\n${sha256OfText(line)}\n`;
}

/** Reads such a file; undefined if it does not match its checksum, or does not exist. */
export async function readChecked<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return checkedIn(text);
}

/** The value in the text of such a file. */
export function checkedIn<T>(text: string): T | undefined {
  const [line = "", checksum] = text.split("\n");
  return checksum === sha256OfText(line) ? JSON.parse(line) : undefined;
}
