import { Worker } from "node:worker_threads";

/** In a thread of its own: of a damaged file, the reader also fails where nothing waits for it. */
const CODE = `
  const { parentPort, workerData } = require("node:worker_threads");
  process.on("unhandledRejection", () => {});
  const answer = (rows) => parentPort.postMessage(rows);
  const plain = (_, value) => (typeof value === "bigint" ? String(value) : value);
  import(workerData.module)
    .then(({ parquetReadObjects }) => parquetReadObjects({ file: workerData.file }))
    .then((rows) => answer(JSON.stringify(rows, plain)))
    .catch(() => answer(null));
`;
const SECONDS = 20;

/** The rows of a Parquet file; undefined if it cannot be read. */
export async function parquetRows(bytes: Buffer): Promise<Record<string, unknown>[] | undefined> {
  const workerData = { module: import.meta.resolve("hyparquet"), file: new Uint8Array(bytes).buffer };
  const worker = new Worker(CODE, { eval: true, workerData, execArgv: [] });
  try {
    const text = await new Promise<string | null>((done) => {
      worker.on("message", done);
      worker.on("error", () => done(null));
      worker.on("exit", () => done(null));
      setTimeout(() => done(null), SECONDS * 1000).unref();
    });
    return text === null ? undefined : (JSON.parse(text) as Record<string, unknown>[]);
  } finally {
    await worker.terminate();
  }
}
