import { computed, signal } from "@preact/signals";
import type { Targets } from "../../src/features/actions/advice.ts";
import { aboutThen } from "./moment.ts";
import { route } from "./route.ts";

/** What happened on some days: `until` is null for one day. */
export interface Note {
  readonly from: string;
  readonly until: string | null;
  readonly text: string;
}

/** An organization that the session may read, as `/v1/organizations` describes it. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Those of amounts are per calendar month. */
  readonly targets: Targets;
  readonly locale: "pt-BR" | "en";
  readonly notes: readonly Note[];
  readonly currency: string | null;
  readonly timezones: readonly string[];
  /** The first and the last day with a counted order or spend. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** When the store or ad account that is furthest behind last landed data. */
  readonly asOf: string | null;
  readonly connectors: readonly {
    readonly integrationId: string;
    readonly connector: string;
    readonly name: string;
    readonly newestDay: string | null;
    readonly lastLandedAt: string | null;
  }[];
}

/** Who is signed in with an e-mail address, as `/platform/me` describes it. */
export interface Person {
  readonly email: string;
  /** Undefined without a choice. */
  readonly language: "pt-BR" | "en" | null;
  readonly isOperator: boolean;
  /** By organization, in lower case. */
  readonly roles: Readonly<Record<string, "viewer" | "admin">>;
  /** Whether mail is set up. */
  readonly mail: boolean;
  /** Whether the service knows its own address, which shares need. */
  readonly hasPublicUrl: boolean;
  /** Whether pages can be shared [D94]. */
  readonly shares: boolean;
}

/** Undefined for a session of a key, and where people do not sign in. */
export const person = signal<Person | undefined>(undefined);

/** What a share opens [D94]: who reads it has no account. */
export interface Shared {
  readonly name: string;
  readonly page: string;
  /** A pin, or an instant: what was known then. */
  readonly knownAt: string | null;
  readonly expiresAt: string;
  readonly organization: Organization;
}

/** Undefined for who signs in. */
export const shared = signal<Shared | undefined>(undefined);

/** How people sign in; null: they do not. */
export const ways = signal<{ readonly mail: boolean } | null>(null);

/** The operator at the machine itself, who has no e-mail address. */
export const LOCAL = "local";

/** Why the page asks for credentials. */
export type Reason = "first" | "refused" | "ended" | "usedLink" | "signedOut";

/** Whether the browser is signed in. The session itself is in a cookie that scripts cannot read. */
export type State =
  | { readonly is: "checking" }
  | { readonly is: "out"; readonly why: Reason }
  /** A one-time link was opened, perhaps by somebody who is signed in. */
  | { readonly is: "link"; readonly token: string; readonly isSignedIn: boolean }
  | { readonly is: "in"; readonly organizations: readonly Organization[] };

export const state = signal<State>({ is: "checking" });

export const organizations = computed(() => (state.value.is === "in" ? state.value.organizations : []));

/** Whether the person may change the organization that the page shows. */
export const isAdmin = computed(() => {
  const { isOperator = false, roles = {} } = person.value ?? {};
  return isOperator || roles[organization.value?.id.toLowerCase() ?? ""] === "admin";
});

const UUID = /^[\da-f]{8}-/i;

/** The name of an organization in addresses: the beginning of its id if no other one begins so. */
export function shortOf(id: string, all: readonly Organization[] = organizations.value): string {
  const short = id.slice(0, 8);
  return UUID.test(id) && all.filter((other) => other.id.startsWith(short)).length === 1 ? short : id;
}

/** The organization with this id, or the only one whose id begins so. */
export function named(name: string, all: readonly Organization[]): Organization | undefined {
  const exact = all.find(({ id }) => id === name);
  const [first, ...others] = name.length < 8 ? [] : all.filter(({ id }) => id.startsWith(name));
  return exact ?? (others.length === 0 ? first : undefined);
}

/** The organization of the address, or the first one; as it was known then, if the page shows that. */
export const organization = computed<Organization | undefined>(() => {
  const now = named(route.value.organization, organizations.value) ?? organizations.value[0];
  return now && aboutThen.value?.id === now.id ? { ...now, ...aboutThen.value.about } : now;
});

export const STORES = ["storea", "storeb"];
export const ADS = ["socialads", "searchads"];

/** Whether the organization has an account of ads: without one its investment is unknown, not 0. */
export const hasAds = computed(
  () => organization.value?.connectors.some(({ connector }) => ADS.includes(connector)) ?? false,
);

/** Whether any account of ads has brought data. */
export const hasSpend = computed(
  () =>
    organization.value?.connectors.some(({ connector, newestDay }) => ADS.includes(connector) && newestDay !== null) ??
    false,
);

/** Whether the address names an organization that these credentials cannot read. */
export const isForeign = computed(
  () => route.value.organization !== "" && named(route.value.organization, organizations.value) === undefined,
);
