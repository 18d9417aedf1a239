import { parentPort, workerData } from "node:worker_threads";
import { outcomeOf, type Task } from "./reading.ts";

const { asking, bytes } = workerData as Task;

/** The thread that reads one large answer. */
parentPort?.postMessage(outcomeOf(asking, new TextDecoder().decode(bytes)));
