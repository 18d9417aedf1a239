import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { OperatorError } from "../../../core/contract/error.ts";
import { NoTurn, type Turn, type TurnOf, type Turns, type Waiting } from "../../../core/coordination/coordination.ts";
import { type Connections, isDown } from "./connections.ts";

/** How often a turn proves that its process runs. */
const BEAT_MS = 2_000;
/** A process that was silent for longer may lose its turn to one that waits. In SQL, by the database's clock. */
const SILENT = "interval '15 seconds'";
/** Milliseconds between two attempts to take a lock. */
const RETRY_MS = 100;

const TAKE = "select pg_try_advisory_lock(hashtextextended($1, 0)) as is_taken";

/** Raises the epoch: what an earlier turn has not published yet, it can no longer publish. */
const BEGIN = `
insert into lucra.turns (organization, epoch, holder, backend_pid, beat_at)
  values ($1, 1, $2, pg_backend_pid(), clock_timestamp())
  on conflict (organization) do update set
    epoch = turns.epoch + 1, holder = excluded.holder, backend_pid = excluded.backend_pid, beat_at = excluded.beat_at
  returning epoch`;

const BEAT =
  "update lucra.turns set beat_at = clock_timestamp() where organization = $1 and epoch = $2 returning epoch";

/**
 * Ends the connection of a holder that is silent, such as a suspended process: its connection alone would keep the lock. The
 * lock is compared, because the number of a connection may be used again.
 */
const END_SILENT = `
select pg_terminate_backend(backend_pid)
  from lucra.turns
  join pg_locks on pg_locks.pid = backend_pid and locktype = 'advisory' and granted and objsubid = 1
    and (classid::bigint << 32 | objid::bigint) = hashtextextended($2, 0)
  where organization = $1 and beat_at < clock_timestamp() - ${SILENT}`;

/** The statement of a write that only the holder of a turn makes: no row if the turn is over. `$1`, `$2`: organization, epoch. */
export const HELD = "held as (select 1 from lucra.turns where organization = $1 and epoch = $2 for share)";

/** A turn that this process has, on a connection of its own. */
class HeldTurn implements Turn {
  readonly organization: string;
  readonly epoch: string;
  readonly #client: pg.Client;
  #isLost = false;
  readonly #beat: NodeJS.Timeout;

  constructor(organization: string, epoch: string, client: pg.Client) {
    this.organization = organization;
    this.epoch = epoch;
    this.#client = client;
    client.on("error", () => this.#lose()).once("end", () => this.#lose());
    this.#beat = setInterval(() => void this.query(BEAT).catch(() => this.#lose()), BEAT_MS).unref();
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Runs a statement whose first two parameters are the organization and the epoch. Throws NoTurn if it has no row. */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
    if (this.#isLost) throw NoTurn.lost(this.organization);
    try {
      const { rows } = await this.#client.query(text, [this.organization, this.epoch, ...values]);
      if (rows.length > 0) return rows;
    } catch (error) {
      if (!isDown(error)) throw error;
    }
    this.#lose();
    throw NoTurn.lost(this.organization);
  }

  async end(): Promise<void> {
    clearInterval(this.#beat);
    this.#isLost = true;
    await this.#client.end().catch(() => {});
  }

  #lose(): void {
    this.#isLost = true;
    clearInterval(this.#beat);
  }
}

/** One writer per organization: an advisory lock on a connection of its own, and an epoch as fence. */
export class PostgresTurns implements Turns {
  readonly #connections: Connections;
  readonly #dataDir: string;
  readonly #held = new Map<string, HeldTurn>();

  constructor(connections: Connections, dataDir: string) {
    this.#connections = connections;
    this.#dataDir = dataDir;
  }

  writing<T>(waitMs: number, work: (turnOf: TurnOf) => Promise<T>): Promise<T> {
    return work((organization, inTurn) => this.#inTurn(organization, waitMs, inTurn));
  }

  async assertHeld(organization: string): Promise<void> {
    await this.held(organization).query(`with ${HELD} select * from held`);
  }

  /** The turn of this process. */
  held(organization: string): HeldTurn {
    const turn = this.#held.get(organization);
    if (!turn) throw NoTurn.lost(organization);
    return turn;
  }

  async exclusively<T>(name: string, { waitMs, refusal }: Waiting, work: () => Promise<T>): Promise<T> {
    const client = await this.#connections.own("lock");
    try {
      const key = `lucra lock ${path.relative(this.#dataDir, path.resolve(name))}`;
      if (!(await take(client, key, waitMs))) throw new OperatorError(refusal("another process"));
      return await work();
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #inTurn<T>(organization: string, waitMs: number, work: (turn: Turn) => Promise<T>): Promise<T> {
    const turn = await this.#take(organization, waitMs);
    this.#held.set(organization, turn);
    try {
      const result = await work(turn);
      if (turn.isLost) throw NoTurn.lost(organization);
      return result;
    } finally {
      this.#held.delete(organization);
      await turn.end();
    }
  }

  async #take(organization: string, waitMs: number): Promise<HeldTurn> {
    const client = await this.#connections.own("writer");
    try {
      const key = `lucra turn ${organization}`;
      const endSilent = (): Promise<unknown> => client.query(END_SILENT, [organization, key]);
      if (!(await take(client, key, waitMs, endSilent))) throw NoTurn.taken(organization);
      const { rows } = await client.query(BEGIN, [organization, `${hostname()}:${process.pid}`]);
      return new HeldTurn(organization, String(rows[0]?.epoch), client);
    } catch (error) {
      await client.end().catch(() => {});
      throw isDown(error) ? NoTurn.lost(organization) : error;
    }
  }
}

async function take(
  client: pg.Client,
  key: string,
  waitMs: number,
  endSilent: () => Promise<unknown> = async () => {},
): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query(TAKE, [key]);
    if (rows[0]?.is_taken) return true;
    if (performance.now() > deadline) return false;
    await endSilent();
    await sleep(RETRY_MS);
  }
}
