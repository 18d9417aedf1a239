import { signal } from "@preact/signals";
import { Failure, type FailureKind, PAGE } from "../../../api.ts";
import { add, ofOrganization, read, removeNow, retryAtOf } from "../../../platform/request.ts";
import type { Detail, Upload, Uploads } from "./types.ts";

// Files on their way to the service, in pieces. They go on when the network is back, and, dropped again, after the page was closed.

export interface Sending {
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  readonly sent: number;
  /** `paused`: without a network; `waiting`: more than the service takes in a minute. Both go on by themselves. */
  readonly state: "sending" | "paused" | "waiting" | "refused";
  readonly failure?: Failure;
  /** The files of the organization that it is for. */
  readonly home: string;
  /** Its place at the service, once it has one. */
  readonly id?: string;
}

/** The files that are being sent, of the organization that the page shows. */
export const sendings = signal<readonly Sending[]>([]);

/** Counts up when a file has arrived. */
export const arrivals = signal(0);

const RETRY_MS = 3_000;
const SECONDS = 60_000;

const note = (key: string, change: Partial<Sending>): void => {
  sendings.value = sendings.peek().map((one) => (one.key === key ? { ...one, ...change } : one));
};

export const forget = (key: string): void => {
  sendings.value = sendings.peek().filter((one) => one.key !== key);
};

/** The files that the person has given up. */
const left = new Set<string>();

export async function giveUp({ key, home, id }: Sending): Promise<void> {
  left.add(key);
  forget(key);
  if (id !== undefined) await removeNow(`${home}/${id}`).catch(() => {});
  arrivals.value++;
}

let count = 0;

/** Sends files one after the other. Returns the ids of those that arrived. */
export async function sendAll(files: readonly File[]): Promise<readonly string[]> {
  // That of now: the page may show another organization before all have arrived.
  const home = ofOrganization("uploads");
  const mine = files.map((file) => ({ file, key: String(++count) }));
  sendings.value = [
    ...sendings.peek(),
    ...mine.map(({ file, key }) => ({
      key,
      home,
      name: file.name,
      bytes: file.size,
      sent: 0,
      state: "sending" as const,
    })),
  ];
  const arrived: string[] = [];
  for (const { file, key } of mine) {
    if (left.has(key)) continue;
    try {
      arrived.push(await send(file, key, home));
      forget(key);
    } catch (error) {
      if (!left.has(key))
        note(key, {
          state: "refused",
          failure: error instanceof Failure ? error : new Failure("unforeseen", String(error)),
        });
    }
    arrivals.value++;
  }
  return arrived;
}

async function send(file: File, key: string, home: string): Promise<string> {
  const { data: there } = await patiently(key, () => read<Uploads>(home));
  // The same file, of which a part has arrived: it goes on there.
  const begun = there.data.find(
    (one) => one.state === "receiving" && one.name === file.name && one.bytes === file.size && !isOnItsWay(one),
  );
  const id =
    begun?.id ?? (await patiently(key, () => add<{ id: string }>(home, { name: file.name, bytes: file.size }))).id;
  const { piece } = there.limits;
  note(key, { id, sent: begun?.received ?? 0 });
  // What arrived last is sent again: the service refuses it if it is another file of the same name.
  let offset = Math.max(0, (begun?.received ?? 0) - piece);
  while (offset < file.size) {
    if (left.has(key)) throw new Failure("notFound");
    const bytes = file.slice(offset, offset + piece);
    const at = offset;
    await room(key);
    const received = await patiently(key, () => sendPiece(`${home}/${id}/pieces/${at}`, bytes));
    offset = received;
    note(key, { sent: offset, state: "sending" });
  }
  return id;
}

/** So many pieces a minute leave the rest of what a session may ask to the rest of the page. */
const MOST_PIECES = 220;
/** When the last pieces were sent. */
const sentAt: number[] = [];

async function room(key: string): Promise<void> {
  const first = sentAt.length < MOST_PIECES ? undefined : sentAt.shift();
  if (first !== undefined && first + SECONDS > Date.now()) {
    note(key, { state: "waiting" });
    await until(first + SECONDS);
  }
  sentAt.push(Date.now());
}

const isOnItsWay = ({ id }: Upload): boolean => sendings.peek().some((one) => one.id === id && one.state !== "refused");

/** Sends a piece; returns how much of the file has arrived. */
async function sendPiece(address: string, bytes: Blob): Promise<number> {
  const response = await fetch(address, {
    method: "PUT",
    headers: { ...PAGE, "content-type": "application/octet-stream" },
    body: bytes,
    cache: "no-store",
    signal: AbortSignal.timeout(SECONDS),
  }).catch(() => {
    throw new Failure("network");
  });
  const said = (await response.json().catch(() => ({}))) as {
    received?: number;
    message?: string;
    present?: { reason?: string; received?: number };
  };
  if (response.ok) return said.received ?? 0;
  // It broke off elsewhere: it goes on there.
  if (said.present?.reason === "offset" && said.present.received !== undefined) return said.present.received;
  throw new Failure(kindOf(response.status), said.message, { retryAt: retryAtOf(response) });
}

const kindOf = (status: number): FailureKind =>
  status === 429 ? "limited" : status === 503 || status >= 502 ? "busy" : "invalid";

/** Tries again for as long as only the network, or the service for a moment, is missing. */
const patiently = <T>(key: string, work: () => Promise<T>): Promise<T> =>
  persistently(work, {
    isLeft: () => left.has(key),
    wait: ({ kind }) => note(key, { state: kind === "limited" ? "waiting" : "paused" }),
    goOn: () => note(key, { state: "sending" }),
  });

interface Waiting {
  readonly isLeft?: () => boolean;
  readonly wait?: (failure: Failure) => void;
  readonly goOn?: () => void;
}

/** Does it again once the network is back, or when the service says that it takes more. */
export async function persistently<T>(work: () => Promise<T>, { isLeft, wait, goOn }: Waiting = {}): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof Failure && ["network", "busy", "limited"].includes(error.kind);
      if (!isPassing || isLeft?.()) throw error;
      wait?.(error);
      await (error.kind === "limited" ? until(error.retryAt) : untilBack());
      goOn?.();
    }
  }
}

/** Until the time that the service named, and not at the same instant as everything else that waits for it. */
const until = (time = Date.now() + RETRY_MS): Promise<void> =>
  new Promise((done) => setTimeout(done, Math.max(0, time - Date.now()) + Math.random() * SPREAD_MS));

const SPREAD_MS = 500;

const untilBack = (): Promise<void> =>
  new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      done();
    };
    const timer = setTimeout(end, RETRY_MS);
    addEventListener("online", end);
  });

/** The state of a file, asked for until the service has done with it what it does. */
export async function settledDetail(id: string, seen: (detail: Detail) => void): Promise<Detail> {
  const home = ofOrganization("uploads");
  for (;;) {
    const { data } = await persistently(() => read<Detail>(`${home}/${id}`));
    seen(data);
    if (data.busy === null && data.state !== "landing") return data;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

const POLL_MS = 1_000;
