import type { AnyEndpoint } from "../contract/endpoint.ts";
import { ApiError, type Detail } from "../contract/error.ts";
import type { Known, States } from "../contract/generations.ts";
import type { Accepted } from "../contract/param.ts";
import { askedState } from "../params/known.ts";
import { type Sent, validate } from "../params/validate.ts";

interface Dependencies {
  readonly states?: States | undefined;
  readonly now: () => Date;
}

/**
 * The accepted parameters of a request, and what was known if it has `knownAt`: every rule that asks for the time then takes
 * that instant [D80]. One error names every wrong parameter.
 */
export async function acceptedAt(
  { states, now }: Dependencies,
  endpoint: AnyEndpoint,
  sent: Sent,
  organizationId: string,
): Promise<{ readonly accepted: Accepted; readonly known?: Known }> {
  const { knownAt, ...others } = sent;
  if (knownAt === undefined || !Object.hasOwn(endpoint.params, "knownAt")) {
    return { accepted: validate(endpoint, sent, now()) };
  }
  const found = await knownIn({ states, now }, organizationId, knownAt).catch(orFaults);
  if (found instanceof ApiError) {
    const details = faultsOf(() => validate(endpoint, others, now()));
    throw new ApiError("invalid", [...details, ...found.details]);
  }
  const at = new Date(found.knownAt);
  return { accepted: validate(endpoint, { ...others, knownAt: found.knownAt }, at), known: found };
}

/** What was known of an organization, by a `knownAt` as it was sent. Fails with an `ApiError`. */
export async function knownIn({ states, now }: Dependencies, organizationId: string, sent: unknown): Promise<Known> {
  const asked = askedState(sent, now());
  if ("fault" in asked) throw new ApiError("invalid", [{ parameter: "knownAt", message: asked.fault }]);
  if (!states) throw new ApiError("notFound");
  return states.known(organizationId, asked);
}

function orFaults(error: unknown): ApiError {
  if (error instanceof ApiError && error.kind === "invalid") return error;
  throw error;
}

function faultsOf(work: () => unknown): readonly Detail[] {
  try {
    work();
    return [];
  } catch (error) {
    return orFaults(error).details;
  }
}
