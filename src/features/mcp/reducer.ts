import { parentPort, workerData } from "node:worker_threads";
import { type Reducing, reducedHere } from "./reducing.ts";

/** The thread of one large answer. */
parentPort?.postMessage(reducedHere(workerData as Reducing));
