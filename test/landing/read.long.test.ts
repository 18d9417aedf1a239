import { appendFile, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { readExport } from "../../src/core/landing/read/read.ts";
import { parquet } from "../support/parquet.ts";
import { read, record, refusal, rows } from "../support/readExport.ts";

describe("Reading an export", () => {
  it("refuses a table whose row is too large, or contained in a quote that is never closed", async () => {
    expect(await refusal(`id,name\n1,"a\n${"2,b\n".repeat(9 * 1024 * 1024)}`)).to.equal(
      "CSV: a row is larger than 32 MiB, or a quote in it is never closed",
    );
  });

  it("refuses only a table's row that is too large as JSON", async () => {
    const found = await read(`id,name\n1,a\n2,${"\t".repeat(17 * 1024 * 1024)}\n3,c\n`);
    expect(found.lines.map(([position]) => position)).to.deep.equal([1, 3]);
    expect(found.unreadable).to.deep.equal([{ position: 2, reason: "larger than 32 MiB", row: "" }]);
  });

  it("copies the holes of a Parquet file as holes", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "lucra-read-"));
    try {
      const at = (name: string): string => path.join(folder, name);
      const body = await parquet("select '1' as id");
      const footer = body.length - 8 - body.readUInt32LE(body.length - 8);
      await writeFile(at("export"), body.subarray(0, footer));
      await truncate(at("export"), 200_000_000);
      await appendFile(at("export"), body.subarray(footer));
      const target = {
        lines: at("lines"),
        contexts: at("contexts"),
        unreadable: at("unreadable"),
        fileNo: 3,
        name: "x",
        modified: "2025-01-01T00:00:00.000Z",
        settings: {},
      };
      const handle = await open(at("export"));
      const { parquet: copied = "" } = await readExport(handle, record, target).finally(() => handle.close());
      const { size, blocks } = await stat(copied);
      expect(size).to.equal(200_000_000 + body.length - footer);
      expect(blocks * 512).to.be.below(10_000_000);
      const bytes = await readFile(copied);
      expect(bytes.equals(await readFile(at("export")))).to.equal(true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("reads tables whose lines end differently, wherever the file is cut into chunks", async () => {
    expect(rows(await read("id\r\n11\n12\r13\r\n14\n"))).to.deep.equal(
      ["11", "12", "13", "14"].map((id) => `{"id":"${id}"}`),
    );
    const many = Array.from({ length: 60_000 }, (_, n) => String(n));
    expect(rows(await read(`id,name\r\n${many.map((id) => `${id},"a\r\nb"`).join("\r\n")}`))).to.have.lengthOf(60_000);
  });

  it("refuses gzip data of which only a part can be read", async () => {
    const [one, two] = ['{"id":"1"}\n', '{"id":"2"}\n'].map((text) => gzipSync(text)) as [Buffer, Buffer];
    expect(rows(await read(Buffer.concat([one, two])))).to.have.lengthOf(2);
    const long = gzipSync(Array.from({ length: 200_000 }, () => `{"id":"${Math.random()}"}`).join("\n"));
    for (const padding of [1, 512, 2 * 1024 * 1024 - one.length - 1, 5_000_000]) {
      for (const next of [Buffer.alloc(0), two, long]) {
        expect(await refusal(Buffer.concat([one, Buffer.alloc(padding), next]))).to.match(
          /^(its gzip data ends before the file does: the rest cannot be read|damaged gzip data)/,
        );
      }
    }
  });
});
