import { parentPort, workerData } from "node:worker_threads";
import { MODELS, type ModelName } from "./index.ts";
import type { Message } from "./thread.ts";

/** The thread of one model. */
const model = MODELS[workerData as ModelName].make();

parentPort?.on("message", (message: Message) => {
  if ("columns" in message) model.add(message.columns);
  else parentPort?.postMessage(JSON.stringify(model.figures(message.basis)));
});
