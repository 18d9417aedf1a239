import { parentPort, workerData } from "node:worker_threads";
import { type Asking, outcomeOf } from "./reading.ts";

/** The thread that reads one large answer. */
parentPort?.postMessage(outcomeOf(workerData as Asking));
