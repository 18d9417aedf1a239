import { seeded } from "../../test/support/data.ts";
import { balanced, limits, storage, versions } from "../cluster/replicas.ts";
import { clocks, databaseDown, killed, suspended, voidLocks } from "../cluster/workers.ts";
import type { Figure, Part, Scale } from "../part.ts";
import { Machines, missingPrograms } from "../support/machines.ts";

const TIMES: Record<Scale, { readonly kills: number; readonly others: number }> = {
  short: { kills: 2, others: 1 },
  long: { kills: 20, others: 4 },
};

export const cluster: Part = {
  name: "cluster",
  promise:
    "Several machines lose no job and publish nothing twice; a client sees no older data after newer ones, no 500, and no request above its limit, " +
    "whatever of the machines, the database, Redis and the storage ends, hangs, or has another clock or version.",
  method:
    "Workers and replicas over PostgreSQL, Redis, storage in S3's protocol and HAProxy, all on one machine. Workers are killed while they hold jobs, and " +
    "suspended before they publish until another one has; turns are made void under two syncs at once; Redis is emptied, slow and killed; PostgreSQL ends and " +
    "comes back; writers have clocks an hour off (by libfaketime, if it is installed); the storage is slow, hangs, is gone, and withholds a publication; clients ask through the balancer across " +
    "publications and a killed replica; a version with another derived schema takes over, and the old one again.",
  async run(scale, seed) {
    const missing = missingPrograms();
    if (missing.length > 0) throw new Error(`not installed: ${missing.join(", ")}`);
    const { kills, others } = TIMES[scale];
    const machines = await Machines.start();
    const figures: Figure[] = [];
    try {
      const replicas = [await machines.replica(), await machines.replica()];
      const [first, second] = replicas;
      if (!first || !second) throw new Error("no replicas");
      const port = await machines.balancer(replicas);
      figures.push(...(await killed(machines, seeded(seed), kills)));
      figures.push(...(await suspended(machines, others)));
      figures.push(...(await voidLocks(machines, others)));
      figures.push(...(await clocks(machines)));
      figures.push(...(await limits(machines, replicas)));
      figures.push(...(await databaseDown(machines, port)));
      figures.push(...(await storage(machines, second)));
      figures.push(...(await versions(machines, second)));
      figures.push(...(await balanced(machines, port, replicas, others + 1)));
      const statuses = [...machines.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
      return [...figures, { what: "answers in all by their status", value: statuses.join(", ") }];
    } finally {
      await machines.stop();
    }
  },
};
