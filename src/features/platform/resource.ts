import type { AnySchema } from "ajv";
import type { SignedIn } from "../../core/access/credentials.ts";

/** Who may use a resource. `person`: everybody who is signed in, for what is the own. */
export type Who = "person" | "viewer" | "admin" | "operator";

/** A request for a resource, when its sender may use it. */
export interface Call<Body = unknown> {
  /** In lower case; empty for a resource of no organization. */
  readonly organization: string;
  /** The further values in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly person: SignedIn;
  readonly body: Body;
  readonly isEnglish: boolean;
  /** Of `PUT` and `DELETE`: what the page has seen, and what was there a moment ago. */
  readonly before?: object;
}

/** A change [D91]. It ends with what the page is answered, or fails with a PlatformError. */
export interface Change<Body = unknown> {
  /** Its name in the log, such as `people.add`. */
  readonly what: string;
  /** Who may make it, if not everybody who may use the resource. */
  readonly who?: Who;
  /** The schema of the body; undefined: there is none. */
  readonly body?: AnySchema;
  /** The body is bytes (`application/octet-stream`): `run` gets a Buffer. */
  readonly isBytes?: boolean;
  /** The largest body, in bytes; 64 kB if it says nothing. */
  readonly most?: number;
  /** It asks for a sign-in of the last 12 hours. */
  readonly isRecent?: boolean;
  /** False: a part of a change that the log has as a whole, such as a piece of a file. It needs no key. */
  readonly isLogged?: boolean;
  /** Members of the answer that are shown once, and that the log never has. */
  readonly secrets?: readonly string[];
  /** What the log has of the body, if it must not have all of it. */
  readonly logged?: (body: Body, call: Call<Body>) => unknown;
  readonly run: (call: Call<Body>) => Promise<object>;
}

/**
 * A thing of the platform: what `GET` reads, `POST` adds to, `PUT` replaces and `DELETE` removes. What is replaced or removed
 * is what `read` returns: its tag is the hash of that.
 */
export interface Resource {
  /** `:organization` in it is the organization. */
  readonly path: `/platform/${string}`;
  readonly who: Who;
  readonly read?: (call: Call) => Promise<object>;
  // biome-ignore lint/suspicious/noExplicitAny: each change has a body of its own, which its schema checks.
  readonly add?: Change<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly replace?: Change<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly remove?: Change<any>;
}

/** Whether it is a thing of an organization. */
export const organizationIn = ({ path }: Pick<Resource, "path">): boolean => path.includes("/:organization");
