/** The folder of an organization's derived files, and the state they were derived from. */
export interface Current {
  readonly folder: string;
  readonly state: string;
  /** The landed files that were lost when they were derived. */
  readonly missing?: readonly { readonly connector: string; readonly record: string }[] | undefined;
}

export interface Generations {
  /** `toRead`: false if only its name is needed. */
  current(organizationId: string, toRead?: boolean): Promise<Current>;
  /** A read failed, perhaps of a part of an answer only. Returns whether the files are damaged; these are then derived again. */
  recheck(organizationId: string, isPart?: boolean): Promise<boolean>;
  /** Keeps the files of an organization, if they are a copy that may be removed, until the result is called. */
  hold?(organizationId: string): () => void;
}

/** What was known at an instant [D80], and the files that it is answered from. */
export interface Known {
  /** As `asOf` is written. */
  readonly knownAt: string;
  /** A hash of its landings, settings and all code: equal hashes, equal states. */
  readonly knownState: string;
  /** From when on the organization's settings are known [D81]; earlier states have those of then. */
  readonly settingsSince: string;
  /** Names all that its answers depend on but the instant. */
  readonly version: string;
  /** The records of which landed files are lost. */
  readonly incomplete: readonly string[];
  /** The organization's name then. */
  readonly organizationName: string;
  /** The time zones of its integrations then. */
  readonly timezones: readonly string[];
  /** The entry of its landings and settings, or an instant before the first one. */
  readonly moment: string;
  readonly files: Generations;
  /** Notes that it was asked for, also if a cached answer is sent: it is removed later than others. */
  asked(): Promise<void>;
  /** Waits until the files are there. Fails with an `ApiError` if a request that waited so long cannot wait for them. */
  ready(waitedMs?: number): Promise<void>;
}

/** The states that an earlier one is compared with [D84]. */
export interface Compared {
  /** The later landings under the earlier settings. */
  readonly between: Known;
  readonly after: Known;
  /** Whether the later state is what is in force: the newest data have its files. */
  readonly isInForce: boolean;
}

/** What a request asks for, if not for the newest data. */
interface AskedStates {
  readonly known?: Known | undefined;
  readonly compared?: Compared | undefined;
}

/** The states of a request, each once, whose files are not those of the newest data. */
function statesOf({ known, compared }: AskedStates): Known[] {
  const { between, after, isInForce } = compared ?? {};
  return [...new Set([known, between, after])].filter(
    (one): one is Known => one !== undefined && !(isInForce && one === after),
  );
}

/** Waits until the files of all states of a request are there, as long for several as for one. */
export async function statesReady(organizationId: string, asked: AskedStates): Promise<void> {
  const since = performance.now();
  const states = statesOf(asked);
  const releases = states.map(({ files }) => files.hold?.(organizationId));
  try {
    for (const state of states) await state.ready(performance.now() - since);
  } finally {
    for (const release of releases) release?.();
  }
}

/** An instant, or the pin of a name. */
export type AskedMoment = { readonly at: string } | { readonly pin: string };

/** Finds what was known. */
export interface States {
  /** At an instant, or at that of a pin. Fails with `invalid` if nothing was known then, or if there is no such pin. */
  known(organizationId: string, asked: AskedMoment): Promise<Known>;
  /** The later landings under the earlier settings: one of the two, if the settings or the landings are the same. */
  between(organizationId: string, earlier: Known, later: Known): Promise<Known>;
}
