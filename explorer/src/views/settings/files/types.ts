// What the service says of files that were dropped on the page [D93].

export type UploadState = "receiving" | "received" | "recognized" | "landing" | "landed" | "failed" | "undone";

export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly received: number;
  readonly state: UploadState;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string | null;
  readonly busy: "looking" | "landing" | "undoing" | null;
  readonly reason: string | null;
  readonly landed: {
    readonly integration: string;
    readonly record: string;
    readonly rows: number;
    readonly rejected: number;
    readonly landedAt: string;
    readonly exports: readonly { readonly file: string; readonly landing: number }[];
  } | null;
}

export interface Uploads {
  readonly data: readonly Upload[];
  readonly limits: { readonly bytes: number; readonly piece: number; readonly files: number };
}

export interface Wish {
  readonly integration?: string;
  readonly connector?: string;
  readonly name?: string;
  readonly timezone?: string;
  readonly record?: string;
  readonly columns?: Readonly<Record<string, string>>;
  readonly items?: Readonly<Record<string, string>>;
  readonly oneDayExpenses?: Readonly<Record<string, "day" | "month">>;
  readonly numbers?: "pt-BR" | "en";
  readonly campaignsByName?: boolean;
  readonly allOrdersPaid?: boolean;
}

export interface Column {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly heading: string | null;
  readonly candidates: readonly string[];
  readonly misfits: readonly string[];
}

export interface Look {
  readonly id: string;
  readonly outcome: "ready" | "again" | "known" | "map" | "choose" | "unknown" | "refused";
  readonly reason: string | null;
  readonly records: readonly {
    readonly connector: string;
    readonly vendor: string;
    readonly record: string;
    readonly rows: number;
  }[];
  readonly likely: readonly { readonly connector: string; readonly record: string; readonly share: number }[];
  readonly asks: "campaignsByName" | null;
  readonly connector: string | null;
  readonly vendor: string | null;
  readonly record: string | null;
  readonly tool: string | null;
  readonly integrations: readonly { readonly integration: string; readonly name: string | null }[];
  readonly integration: string | null;
  readonly timezone: string | null;
  readonly headings: readonly string[] | null;
  readonly columns: readonly Column[] | null;
  readonly used: readonly string[];
  readonly empty: readonly string[];
  readonly unused: readonly string[];
  readonly rows: number;
  readonly repeated: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly sums: readonly { readonly field: string; readonly sum: string }[];
  readonly rejected: number;
  readonly rejects: readonly { readonly reason: string; readonly rows: number; readonly position: number | null }[];
  readonly orders: {
    readonly counted: number;
    readonly uncounted: Readonly<Record<string, number>>;
    readonly unknown?: Readonly<Record<string, number>>;
  } | null;
  readonly changes: {
    readonly added: number;
    readonly same: number;
    readonly replaced: number;
    readonly older: number;
    readonly files: readonly { readonly file: string; readonly rows: number }[];
  } | null;
  readonly amounts: {
    readonly added: { readonly rows: number; readonly sum: string };
    readonly replaced: { readonly rows: number; readonly before: string; readonly after: string };
    readonly others: readonly {
      readonly file: string;
      readonly landing: number;
      readonly rows: number;
      readonly of: number;
    }[];
  } | null;
  readonly known: {
    readonly file: string;
    readonly landing: number | null;
    readonly replaced: Replaced | null;
  } | null;
  readonly unknownItems: readonly string[];
  readonly oneDay: readonly {
    readonly item: string;
    readonly rows: number;
    readonly sum: string;
    readonly of: "day" | "month" | null;
  }[];
  readonly notes: readonly string[];
}

export interface Replaced {
  readonly rows: number;
  readonly by: string;
}

export interface Detail extends Upload {
  readonly look: Look | null;
  readonly wish: Wish | null;
  readonly progress: {
    readonly step: "waiting" | "landing" | "deriving";
    readonly since: string;
    readonly files: number;
    readonly bytes: number;
  } | null;
}

/** A file that has landed for a source. */
export interface Arrived {
  readonly integration: string;
  readonly record: string;
  readonly file: string;
  readonly landing: number;
  readonly landedAt: string | null;
  readonly rows: number;
  readonly rejected: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly revokedAt: string | null;
  readonly replaced: Replaced | null;
  readonly notes: readonly string[];
}

export interface ArrivedPage {
  readonly files: readonly Arrived[];
  readonly before: number | null;
}
