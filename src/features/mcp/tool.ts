import type { Endpoint } from "../../core/contract/endpoint.ts";
import type { Fields } from "../../core/contract/field.ts";
import type { Accepted, Params } from "../../core/contract/param.ts";
import type { Sent } from "../../core/params/validate.ts";

/** An organization that the client may read. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The same with what its data cover. */
export interface Listed extends Named {
  readonly currency: string | null;
  /** The last day with a counted order or spend. */
  readonly lastDay: string | null;
}

/** What was known of an organization. */
export interface Then extends Pick<Listed, "name" | "currency" | "lastDay"> {
  /** The instant. */
  readonly knownAt: string;
}

/** An endpoint's answer as JSON. */
export interface Answered {
  readonly body: Buffer;
  /** The records of which landed files are lost. */
  readonly incomplete: readonly string[];
}

/** The rows of a query of the client's own. */
export interface Rows {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly truncated: boolean;
  readonly milliseconds: number;
}

/** A query of the client's own. */
interface AskedRows {
  readonly sql: string;
  readonly rows: number;
  readonly knownAt?: string | undefined;
}

/** A view that queries of the client's own may read. */
export interface View {
  readonly name: string;
  /** Meaning of a row. */
  readonly grain: string;
}

/** Access of tools for one client: they reach the data only here, and an organization of another client is not known. */
export interface ToolBackend {
  readonly now: () => Date;
  /** Aborts when the client is gone. */
  readonly leave: AbortSignal;
  readonly views: readonly View[];
  /** All of the client's, in the order of their names. */
  names(): Promise<readonly Named[]>;
  /** Entries of the list of organizations. */
  organizations(ids: readonly string[]): Promise<readonly Listed[]>;
  /** By an instant, a day or the name of a pin. Fails with an `ApiError`. */
  known(organizationId: string, knownAt: string): Promise<Then>;
  /** Fails with an `ApiError`. */
  ask(organizationId: string, endpoint: Endpoint, sent: Sent): Promise<Answered>;
  query(organizationId: string, asked: AskedRows): Promise<Rows>;
}

/** A list of an answer that a tool shortens: an array, or the cells of an object whose keys are data. */
interface ListRule {
  /** Which of its elements remain; the default is the first ones. */
  readonly keep?: "first" | "last";
  /** The field of the answer with the number of elements, if it has only a page of them. */
  readonly total?: string;
}

/** A part of a tool's result: an endpoint's answer, of which figures may be left out and none is computed. */
export interface Section {
  readonly endpoint: string;
  /** Calls may filter it by store and channel, and then the result says so. */
  readonly isFiltered?: true;
  /** Members that the result does not carry, as paths without positions. */
  readonly without?: readonly string[];
  /** The objects in which a call chooses figures, and the names that it chooses from. */
  readonly chosen?: { readonly at: readonly string[]; readonly of: readonly string[] };
  /** By their paths. */
  readonly lists?: Readonly<Record<string, ListRule>>;
}

/** A part of a call: what is asked, and what of the answer is taken. */
export interface Question {
  readonly sent: Sent;
  /** The figures that were chosen; absent: all. */
  readonly metrics?: ReadonlySet<string> | undefined;
  /** By the paths of lists: how many elements, in which order if not the answer's. */
  readonly lists?: Readonly<Record<string, Cut>>;
}

export interface Cut {
  readonly top: number;
  readonly sortBy?: string | undefined;
  readonly order?: "asc" | "desc";
}

/** Questions of a call, and notes of its result beyond the answers. */
interface Plan {
  readonly questions: Readonly<Record<string, Question>>;
  readonly period?: Resolved | undefined;
  readonly notes?: readonly string[];
}

/** The days of a call, and how they were found. */
export interface Resolved {
  /** Undefined: the whole history. */
  readonly from?: string;
  readonly to?: string;
  readonly how: string;
}

/** A call in one organization. */
export interface Call {
  readonly args: Accepted;
  readonly organization: Listed;
  /** The day of what was known, if that is asked for. */
  readonly today: string;
  ask(path: string, sent: Sent): Promise<Record<string, unknown>>;
}

interface Common {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Params;
}

/** Answers of endpoints for one organization. */
export interface AnswerTool extends Common {
  /** It compares what was known at `known_at` with what was at `compared_at`, and its days go by the later one. */
  readonly isOfTwoStates?: true;
  readonly sections: Readonly<Record<string, Section>>;
  plan(call: Call): Promise<Plan> | Plan;
}

/** Anything else. */
export interface OtherTool extends Common {
  readonly output: Fields;
  /** The lists that are shortened if the result is too long. */
  readonly lists: readonly string[];
  run(args: Accepted, backend: ToolBackend): Promise<Readonly<Record<string, unknown>>>;
}

export type Tool = AnswerTool | OtherTool;

/** A mistake in the arguments that the agent can correct. */
export class ToolError extends Error {
  readonly said: Said;

  constructor(said: Said) {
    super(said.en);
    this.said = said;
  }
}

/** A sentence in the languages of clients. */
export interface Said {
  readonly pt: string;
  readonly en: string;
}
