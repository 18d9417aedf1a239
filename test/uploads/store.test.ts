import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { exportName, labelOf } from "../../src/features/uploads/names.ts";
import type { Room } from "../../src/features/uploads/room.ts";
import { type Offered, Uploads } from "../../src/features/uploads/store.ts";
import { LIMITS } from "../../src/features/uploads/upload.ts";
import { AURORA, DataFolder, KNOTS } from "../support/data.ts";
import { ROOMY, refusal } from "../support/uploads.ts";

const MB = 1_000_000;
const GB = 1_000 * MB;
const DAY = 24 * 3_600_000;

describe("The store of uploads [D93]", () => {
  let data: DataFolder;
  let now: number;
  let room: Room;
  let uploads: Uploads;

  beforeEach(async () => {
    data = await DataFolder.empty();
    now = Date.parse("2026-01-10T12:00:00Z");
    room = ROOMY;
    uploads = new Uploads(data.path, { clock: () => now, room: async () => room });
  });
  afterEach(() => data.remove());

  const offer = (bytes: number, more: Partial<Offered> = {}, organization = AURORA) =>
    uploads.create(organization, { name: "a.csv", bytes, by: "ana@example.com", ...more });
  const bytesOf = (id: string): Promise<string> => readFile(path.join(data.path, "uploads", AURORA, id), "utf8");

  describe("takes pieces", () => {
    it("one after the other, and says how much has arrived", async () => {
      const { id, state, received } = await offer(9);
      expect([state, received]).to.deep.equal(["receiving", 0]);
      expect(await uploads.piece(AURORA, id, 0, Buffer.from("abcd"))).to.deep.equal({ received: 4 });
      expect((await uploads.find(AURORA, id)).received).to.equal(4);
      expect(await uploads.piece(AURORA, id, 4, Buffer.from("efghi"))).to.deep.equal({ received: 9 });
      expect((await uploads.find(AURORA, id)).state).to.equal("received");
      expect(await bytesOf(id)).to.equal("abcdefghi");
    });

    it("again without harm, also if they were cut otherwise, and two at once", async () => {
      const { id } = await offer(9);
      await uploads.piece(AURORA, id, 0, Buffer.from("abcd"));
      expect(await uploads.piece(AURORA, id, 0, Buffer.from("abcd"))).to.deep.equal({ received: 4 });
      expect(await uploads.piece(AURORA, id, 2, Buffer.from("cdef"))).to.deep.equal({ received: 6 });
      const both = [0, 1].map(() => uploads.piece(AURORA, id, 6, Buffer.from("ghi")));
      expect(await Promise.all(both)).to.deep.equal([{ received: 9 }, { received: 9 }]);
      expect(await uploads.piece(AURORA, id, 0, Buffer.from("abc"))).to.deep.equal({ received: 9 });
      expect(await bytesOf(id)).to.equal("abcdefghi");
    });

    it("not from the wrong place, of another content, or of another size", async () => {
      const { id } = await offer(9);
      await uploads.piece(AURORA, id, 0, Buffer.from("abcd"));
      const piece = (offset: number, text: string) => refusal(uploads.piece(AURORA, id, offset, Buffer.from(text)));
      expect(await piece(5, "f")).to.deep.equal(["offset", { received: 4 }]);
      expect(await piece(0, "abxd")).to.deep.equal(["differs", { offset: 0 }]);
      expect(await piece(4, "efghij")).to.deep.equal(["tooLarge", { bytes: 10, most: 9 }]);
      expect((await piece(-1, "a"))[0]).to.equal("invalid");
      expect((await piece(0.5, "a"))[0]).to.equal("invalid");
      expect((await piece(Number.NaN, "a"))[0]).to.equal("invalid");
      expect((await piece(4, ""))[0]).to.equal("invalid");
      expect(await bytesOf(id)).to.equal("abcd");
      const large = await offer(3 * MB);
      const much = Buffer.alloc(MB + 1);
      expect((await refusal(uploads.piece(AURORA, large.id, 0, much)))[0]).to.equal("tooLarge");
    });

    it("that only the service's user reads, below a name of its own", async () => {
      const { id } = await offer(1, { name: "../../etc/passwd" });
      await uploads.piece(AURORA, id, 0, Buffer.from("a"));
      expect(id).to.match(/^[0-9a-f]{32}$/);
      expect(await data.files("uploads")).to.deep.equal([`${AURORA}/${id}`]);
      const modes = ["uploads", `uploads/${AURORA}`, `uploads/${AURORA}/${id}`, "uploads.json"].map(async (name) =>
        ((await stat(path.join(data.path, name))).mode & 0o077).toString(8),
      );
      expect(await Promise.all(modes)).to.deep.equal(["0", "0", "0", "0"]);
    });
  });

  describe("refuses", () => {
    it("a file that is too large, or of no size", async () => {
      expect((await refusal(offer(LIMITS.bytes + 1)))[0]).to.equal("tooLarge");
      for (const bytes of [0, -1, 1.5, Number.NaN]) expect((await refusal(offer(bytes)))[0]).to.equal("invalid");
      expect((await offer(LIMITS.bytes)).received).to.equal(0);
    });

    it("more than 20 files and 2 GB that wait, of each organization", async () => {
      for (let n = 0; n < 20; n++) await offer(1);
      expect((await refusal(offer(1)))[0]).to.equal("tooMany");
      for (let n = 0; n < 10; n++) await offer(200 * MB, {}, KNOTS);
      const [kind, facts] = await refusal(offer(1, {}, KNOTS));
      expect([kind, facts.files, facts.bytes]).to.deep.equal(["tooMany", 10, 2 * GB]);
      const [last] = await uploads.list(AURORA);
      await uploads.remove(AURORA, last?.id ?? "");
      await offer(1);
    });

    it("of two at once the one that would be too many", async () => {
      for (let n = 0; n < 19; n++) await offer(1);
      const both = await Promise.allSettled([
        offer(1),
        new Uploads(data.path, { clock: () => now, room: async () => room }).create(AURORA, {
          name: "b",
          bytes: 1,
          by: "b",
        }),
      ]);
      expect(both.filter(({ status }) => status === "fulfilled")).to.have.length(1);
    });

    it("what leaves less than 10 % of the disk or less than 5 GB free, also while pieces arrive", async () => {
      room = { free: 101 * MB * 1_000, total: 1_000 * GB };
      const { id } = await offer(200 * MB);
      room = { free: 100 * GB + 199 * MB, total: 1_000 * GB };
      expect((await refusal(offer(200 * MB)))[0]).to.equal("noRoom");
      room = { free: 100 * GB, total: 1_000 * GB };
      expect((await refusal(uploads.piece(AURORA, id, 0, Buffer.from("a"))))[0]).to.equal("noRoom");
      expect((await uploads.find(AURORA, id)).received).to.equal(0);
      room = { free: 4.9 * GB, total: 10 * GB };
      expect((await refusal(offer(1)))[0]).to.equal("noRoom");
      room = { free: 5.3 * GB, total: 10 * GB };
      await offer(200 * MB);
    });

    it("an upload of another organization, or of a name that is none", async () => {
      const { id } = await offer(1);
      for (const [organization, name] of [
        [KNOTS, id],
        [AURORA, `../${AURORA}/${id}`],
        [AURORA, "x".repeat(10_000)],
      ])
        expect((await refusal(uploads.find(organization as string, name as string)))[0]).to.equal("unknown");
    });
  });

  describe("removes", () => {
    it("what has not landed after a day, when it is asked for and by itself", async () => {
      const { id } = await offer(1);
      await uploads.piece(AURORA, id, 0, Buffer.from("a"));
      now += DAY - 1;
      expect(await uploads.list(AURORA)).to.have.length(1);
      await uploads.tidy();
      expect(await data.files("uploads")).to.have.length(1);
      now += 1;
      expect(await uploads.list(AURORA)).to.deep.equal([]);
      expect((await refusal(uploads.piece(AURORA, id, 0, Buffer.from("a"))))[0]).to.equal("unknown");
      await uploads.tidy();
      expect([await data.files("uploads"), JSON.parse(await data.text("uploads.json")).uploads]).to.deep.equal([
        [],
        [],
      ]);
    });

    it("not what is landing, and of what has landed only the bytes", async () => {
      const [one, other] = [await offer(1), await offer(1)];
      for (const { id } of [one, other]) await uploads.piece(AURORA, id, 0, Buffer.from("a"));
      await uploads.change(AURORA, one.id, (upload) => ({ ...upload, state: "landing" }));
      await uploads.change(AURORA, other.id, (upload) => ({ ...upload, state: "landed" }));
      expect((await refusal(uploads.remove(AURORA, one.id)))[0]).to.equal("state");
      now += 2 * DAY;
      await uploads.tidy();
      expect((await uploads.list(AURORA)).map(({ state }) => state)).to.deep.equal(["landed", "landing"]);
      expect(await data.files("uploads")).to.deep.equal([`${AURORA}/${one.id}`]);
    });

    it("the bytes of a file that nothing knows, and unfinished notes", async () => {
      const { id } = await offer(1);
      await uploads.piece(AURORA, id, 0, Buffer.from("a"));
      await uploads.write({ organization: AURORA, id }, "look", {});
      const lost = "0".repeat(32);
      for (const name of [lost, `${lost}.look`, `.${lost}.look.0a1b`])
        await writeFile(path.join(data.path, "uploads", AURORA, name), "x");
      await uploads.tidy();
      expect(await data.files("uploads")).to.deep.equal([`${AURORA}/${id}`, `${AURORA}/${id}.look`]);
    });
  });
});

describe("The name of an upload [D93]", () => {
  const id = "0123456789abcdef".repeat(2);

  it("is shown without what could be taken for something else", () => {
    const names = {
      "pedidos março.csv": "pedidos março.csv",
      "C:\\Users\\ana\\pedidos.csv": "pedidos.csv",
      "../../../etc/passwd": "passwd",
      "..": "file",
      "": "file",
      " . ": "file",
      "a\u0000b\u001b[31m\n.csv": "ab[31m .csv",
      "fatura\u202Egpj.csv": "faturagpj.csv",
      "\u200F\u2066x\u2069.csv": "x.csv",
      "a\ud800.csv": "a.csv",
    };
    expect(Object.fromEntries(Object.keys(names).map((name) => [name, labelOf(name)]))).to.deep.equal(names);
    const long = labelOf(`${"é".repeat(10_000)}.csv.gz`);
    expect([long.length, long.slice(-8)]).to.deep.equal([200, "….csv.gz"]);
  });

  it("is an export's in a folder of its own, whatever it was", () => {
    const nameOf = (name: string): string => exportName({ id, name: labelOf(name) });
    expect(nameOf("pedidos março (1).csv")).to.equal("upload-0123456789ab/pedidos março (1).csv");
    expect(nameOf(".htaccess")).to.equal("upload-0123456789ab/htaccess");
    expect(nameOf("-rf *?.csv")).to.equal("upload-0123456789ab/rf __.csv");
    expect(nameOf("..")).to.equal("upload-0123456789ab/file");
    expect(Buffer.byteLength(nameOf(`${"漢".repeat(5_000)}.xlsx`))).to.be.at.most(160);
    expect(nameOf(`${"漢".repeat(5_000)}.xlsx`)).to.match(/….xlsx$/);
  });
});
