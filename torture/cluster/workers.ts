import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { AURORA } from "../../test/support/data.ts";
import type { Figure } from "../part.ts";
import type { Machines } from "../support/machines.ts";

const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
/** A holder of a turn that is silent for longer has lost it; then a suspended process goes on. */
const BEYOND_MS = 2_000;

/** Kills workers at random moments while they hold a job. */
export async function killed(machines: Machines, random: () => number, kills: number): Promise<Figure[]> {
  let holding = 0;
  const before = ((await machines.coordination.jobs?.list()) ?? []).length;
  for (let n = 0; n < kills; n++) {
    await machines.drop();
    const worker = await machines.worker();
    await machines.due(new Date(n));
    await sleep(random() * 2_500);
    const jobs = (await machines.coordination.jobs?.list()) ?? [];
    if (jobs.some(({ state }) => state === "running")) holding++;
    machines.signal(worker, "SIGKILL");
    await once(worker, "exit");
  }
  const last = await machines.worker();
  await machines.done(before + 1);
  await machines.due(new Date(kills));
  const jobs = await machines.done(before + 2);
  machines.signal(last, "SIGKILL");
  const exports = await machines.landedOnce();
  await machines.isWhole();
  return [
    { what: "kills of workers, of these while a job ran", value: `${kills}, ${holding}` },
    { what: "jobs, lost", value: `${jobs.length}, 0` },
    { what: "exports, landed twice or not", value: `${exports}, 0` },
  ];
}

/**
 * Suspends a worker when it has sent its generation and is about to publish it; goes on after another one has taken the job
 * and published.
 */
export async function suspended(machines: Machines, times: number): Promise<Figure[]> {
  const { storage } = machines;
  for (let n = 0; n < times; n++) {
    await machines.drop();
    const before = ((await machines.coordination.jobs?.list()) ?? []).length;
    const first = await machines.worker();
    const caught = new Promise<void>((done) => {
      storage.before = async (method, key) => {
        if (method !== "PUT" || !/gen=\d+\.[0-9a-f]+\.json$/.test(key)) return;
        storage.before = async () => {};
        machines.signal(first, "SIGSTOP");
        done();
      };
    });
    await machines.due();
    await caught;
    const second = await machines.worker();
    await machines.done(before + 1);
    const published = await machines.pointer();
    machines.signal(first, "SIGCONT");
    await sleep(BEYOND_MS);
    if ((await machines.pointer()) !== published) throw new Error("a worker that had lost its turn published");
    await machines.landedOnce();
    await machines.isWhole();
    for (const worker of [first, second]) machines.signal(worker, "SIGKILL");
  }
  return [
    {
      what: "workers suspended before publication, published by them after their turn was taken",
      value: `${times}, 0`,
    },
  ];
}

/** Two syncs of one organization at once, each of which takes the other's turn. */
export async function voidLocks(machines: Machines, times: number): Promise<Figure[]> {
  let refused = 0;
  for (let n = 0; n < times; n++) {
    await machines.drop();
    let isOver = false;
    const voiding = (async () => {
      while (!isOver) {
        await machines.postgres.query("update lucra.turns set beat_at = clock_timestamp() - interval '1 hour'");
        await sleep(50);
      }
    })();
    const both = await Promise.allSettled([machines.sync(), machines.sync()]);
    isOver = true;
    await voiding;
    const failures = both.filter((one) => one.status === "rejected");
    refused += failures.length;
    for (const { reason } of failures)
      if (!/turn of|another process/.test(String(reason))) throw new Error(`two syncs at once: ${reason}`);
    await machines.sync();
    await machines.landedOnce();
    await machines.isWhole();
  }
  return [
    {
      what: "pairs of syncs with void turns, refused of these, landed twice or damaged",
      value: `${times}, ${refused}, 0`,
    },
  ];
}

/** The database ends in the middle of jobs, and comes back. */
export async function databaseDown(machines: Machines, port: number): Promise<Figure[]> {
  const before = ((await machines.coordination.jobs?.list()) ?? []).length;
  const known = await machines.until(port);
  const worker = await machines.worker();
  await machines.drop();
  await machines.due();
  await sleep(700);
  await machines.postgres.stop();
  let answers = 0;
  for (const began = performance.now(); performance.now() - began < 5_000; await sleep(100)) {
    const { status, text } = await machines.ask(port);
    if (status !== 200) throw new Error(`${status} without the database: ${text.slice(0, 300)}`);
    answers++;
  }
  await machines.postgres.start();
  await machines.done(before + 1);
  await machines.landedOnce();
  await machines.until(port, (text) => text !== known);
  machines.signal(worker, "SIGKILL");
  return [{ what: "answers while the database was down, refused", value: `${answers}, 0` }];
}

/** Writers whose clocks are an hour ahead and behind. */
export async function clocks(machines: Machines): Promise<Figure[]> {
  if (!existsSync(FAKETIME))
    return [{ what: "clocks of writers an hour ahead and behind", value: "not tried: no libfaketime" }];
  let publications = 0;
  for (const shift of ["+1h", "-1h", "+1h"]) {
    const environment = { LD_PRELOAD: FAKETIME, FAKETIME: shift, DONT_FAKE_MONOTONIC: "1" };
    const before = await machines.pointer();
    await machines.drop();
    await machines.sync(environment);
    if ((await machines.pointer()) === before) throw new Error(`with a clock of ${shift} nothing was published`);
    publications++;
    const created = await machines.data.lucra(["keys", "create", "--organization", AURORA, "--json"], {
      ...machines.environment,
      ...environment,
    });
    if (created.status !== 0) throw new Error(`with a clock of ${shift}: ${created.stderr}`);
    await machines.landedOnce();
    await machines.isWhole();
  }
  return [{ what: "publications by clocks an hour ahead and behind, lost", value: `${publications}, 0` }];
}
