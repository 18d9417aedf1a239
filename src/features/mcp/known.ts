import { ApiError } from "../../core/contract/error.ts";
import { type Fields, instant } from "../../core/contract/field.ts";
import { PIN_NAME } from "../../core/params/known.ts";
import type { Then, ToolBackend } from "./tool.ts";

/** What a result says about an earlier state [D85]. */
export const KNOWN_AT: Fields = {
  knownAt: { ...instant("The instant whose knowledge answers."), presentWhen: "`known_at` is sent" },
};

/** What was known, and the `knownAt` of the requests for it. */
interface Asked extends Then {
  /** The name of a pin, or the instant: a day may mean a later one the next time. */
  readonly asked: string;
}

/** What was known by an argument of a tool; undefined if it was not sent. */
export async function thenOf(
  backend: ToolBackend,
  organizationId: string,
  sent: string | number | null | undefined,
  argument = "known_at",
): Promise<Asked | undefined> {
  if (sent === null || sent === undefined) return undefined;
  const text = String(sent);
  try {
    const then = await backend.known(organizationId, text);
    return { ...then, asked: PIN_NAME.test(text) ? text : then.knownAt };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The agent knows its own arguments.
    const details = error.details.map((one) => (one.parameter === "knownAt" ? { ...one, parameter: argument } : one));
    throw new ApiError(error.kind, details);
  }
}
