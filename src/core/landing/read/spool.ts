import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { linesIn } from "../bytes/lines.ts";

/** How many bytes stay in memory before a file is used. */
const IN_MEMORY = 4 * 1024 * 1024;

/** Lines that are read again once all of them have been written. */
export class LineSpool {
  readonly #path: string;
  #held: Buffer[] = [];
  #bytes = 0;
  #file: WriteStream | undefined;
  #failure: Error | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Writes a line. If it returns a promise, the disk is slower than the reading. */
  write(line: Buffer): Promise<void> | undefined {
    this.#held.push(line, LINE_END);
    this.#bytes += line.length + 1;
    return this.#bytes >= IN_MEMORY ? this.#flush() : undefined;
  }

  async #flush(): Promise<void> {
    if (!this.#file) {
      this.#file = createWriteStream(this.#path);
      this.#file.on("error", (error) => (this.#failure ??= error));
    }
    const block = Buffer.concat(this.#held);
    this.#held = [];
    this.#bytes = 0;
    const file = this.#file;
    await new Promise<void>((done, failed) => file.write(block, (error) => (error ? failed(error) : done())));
  }

  /** The lines that were written. */
  async *lines(): AsyncGenerator<Buffer> {
    if (!this.#file) {
      for (let at = 0; at < this.#held.length; at += 2) yield this.#held[at] as Buffer;
      return;
    }
    await this.#flush();
    await finished(this.#file.end());
    if (this.#failure) throw this.#failure;
    yield* linesIn(createReadStream(this.#path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>);
  }

  async remove(): Promise<void> {
    this.#file?.destroy();
    this.#held = [];
    if (this.#file) await rm(this.#path, { force: true });
  }
}

const LINE_END = Buffer.from("\n");
