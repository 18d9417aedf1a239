export interface Integration {
  readonly id: string;
  readonly connector: string;
  readonly name: string | null;
  readonly timezone: string | null;
  readonly schedule: string | null;
  readonly pull: {
    readonly since: string;
    readonly records: readonly string[] | null;
    readonly account: Readonly<Record<string, string>>;
  } | null;
  /** Of an ad account: the stores that it spends for; null if it does not say. */
  readonly stores: readonly string[] | null;
}

export interface Connection {
  readonly integration: Integration;
  readonly isRemoved: boolean;
  readonly records: readonly string[];
  readonly scheduleWords: string | null;
  readonly canBePulled: boolean;
  readonly account: Readonly<Record<string, { readonly required: boolean }>>;
  readonly arrived?: {
    readonly lastLandedAt: string | null;
    readonly lastSync: { readonly endedAt: string; readonly outcome: string; readonly reason: string | null } | null;
    readonly records: readonly {
      readonly record: string;
      readonly lastLandedAt: string | null;
      readonly newestDay: string | null;
      readonly files: number;
      readonly waiting: number;
      readonly rows: number | null;
      readonly rejected: number;
    }[];
    readonly missing: readonly string[];
  } | null;
}

/** What is known of a vendor's keys; their values never come back. */
export interface Keys {
  readonly sets: readonly (readonly string[])[];
  readonly keys: readonly string[];
  readonly setAt: string | null;
  readonly endsAt: string | null;
  readonly isComplete: boolean;
  readonly isAskedAgain: boolean;
}

/** What `PUT` takes of a connection. */
export interface Fields {
  readonly name: string | null;
  readonly timezone: string | null;
  readonly schedule: string | null;
  readonly pull: { readonly since: string; readonly records?: readonly string[]; readonly account?: object } | null;
  /** Without it they stay. */
  readonly stores?: readonly string[] | null;
}

/** A connection's fields with some of them changed; what is absent is not sent. */
export function fieldsOf({ name, timezone, schedule, pull }: Integration, changes: Partial<Fields> = {}): Fields {
  const sent = pull && {
    since: pull.since,
    account: pull.account,
    ...(pull.records === null ? {} : { records: pull.records }),
  };
  return { name, timezone, schedule, pull: sent, ...changes };
}
