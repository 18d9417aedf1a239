import { accountOf } from "./accounts.ts";
import type { Context } from "./context.ts";
import { PullError, type Session } from "./declaration.ts";
import type { Opened } from "./session.ts";
import { keepState, type PullState, type RecordState } from "./state.ts";

/** The state of one integration, written after every page. */
export class StateKeeper {
  readonly #context: Context;
  #isEndKnown = false;
  state: PullState;

  /** Why the state that was kept does not count. */
  readonly remark: string | undefined;

  constructor(context: Context, state: PullState) {
    this.#context = context;
    const { account = accountOf(context.integration) } = state;
    const isOther = account !== accountOf(context.integration);
    this.state = isOther ? { version: 1, records: {} } : state;
    if (isOther)
      this.remark =
        "the settings name another account than before: everything is asked for again; what the earlier one gave stays in the lake";
  }

  record(name: string): RecordState {
    return this.state.records[name] ?? {};
  }

  async keep(name: string, record: RecordState, refused?: PullState["refused"]): Promise<void> {
    const { refused: _, ...others } = this.state;
    const records = { ...others.records, [name]: record };
    await this.#write({
      ...others,
      account: accountOf(this.#context.integration),
      records,
      ...(refused ? { refused } : {}),
    });
  }

  /** When the secrets end, for the doctor: asked by the first record of a run that is complete. */
  async learnEnd({ client, kept, set }: Opened, session: Session): Promise<void> {
    if (this.#isEndKnown) return;
    this.#isEndKnown = true;
    try {
      const end = (await set.end?.(session, kept.secrets)) ?? client.secretsEnd;
      const { secrets: _, ...others } = this.state;
      await this.#write(end ? { ...others, secrets: { setAt: kept.setAt, endAt: end.toISOString() } } : others);
    } catch (error) {
      // The known state stays; the records are there, so the pull has not failed.
      if (!(error instanceof PullError)) throw error;
    }
  }

  #write(state: PullState): Promise<void> {
    this.state = state;
    const { folders, integration } = this.#context;
    return keepState(folders, integration.id, state);
  }
}
