import { type AnyEndpoint, comparesStates } from "../contract/endpoint.ts";
import { ApiError, type Detail } from "../contract/error.ts";
import { wording } from "../contract/failures.ts";
import type { Compared, Known, States } from "../contract/generations.ts";
import type { Accepted } from "../contract/param.ts";
import { askedState } from "../params/known.ts";
import { type Sent, validate } from "../params/validate.ts";

interface Dependencies {
  readonly states?: States | undefined;
  readonly now: () => Date;
}

interface AcceptedAt {
  readonly accepted: Accepted;
  readonly known?: Known;
  readonly compared?: Compared;
}

/** What was known at the instants that a request names, by parameter, and the faults of the others. */
interface Named {
  readonly found: ReadonlyMap<string, Known>;
  readonly faults: readonly Detail[];
}

/**
 * The accepted parameters of a request, and what was known if it has `knownAt`: every rule that asks for the time then takes
 * that instant [D80]. One error names every wrong parameter.
 */
export async function acceptedAt(
  { states, now: clock }: Dependencies,
  endpoint: AnyEndpoint,
  sent: Sent,
  organizationId: string,
): Promise<AcceptedAt> {
  const now = clock();
  const names = Object.keys(endpoint.params).filter(
    (name) => endpoint.params[name]?.kind === "known" && sent[name] !== undefined,
  );
  if (names.length === 0) return { accepted: validate(endpoint, sent, now) };
  const { found, faults } = await namedStates(names, (name) =>
    knownIn({ states, now: () => now }, organizationId, sent[name]),
  );
  if (faults.length > 0) {
    const wrong = new Set(faults.map(({ parameter }) => parameter));
    const others = Object.fromEntries(Object.entries(sent).filter(([name]) => !wrong.has(name)));
    const details = faultsOf(() => validate(endpoint, others, now));
    throw new ApiError("invalid", [...details.filter(({ parameter }) => !wrong.has(parameter)), ...faults]);
  }
  const known = found.get("knownAt");
  const instants = Object.fromEntries([...found].map(([name, { knownAt }]) => [name, knownAt]));
  const accepted = validate(endpoint, { ...sent, ...instants }, known ? new Date(known.knownAt) : now);
  if (!known) return { accepted };
  if (!states || !comparesStates(endpoint)) return { accepted, known };
  const later = found.get("comparedAt");
  const after = later ?? (await states.known(organizationId, { at: now.toISOString() }));
  const between = await states.between(organizationId, known, after);
  return { accepted, known, compared: { between, after, isInForce: later === undefined } };
}

async function namedStates(names: readonly string[], find: (name: string) => Promise<Known>): Promise<Named> {
  const found = new Map<string, Known>();
  const faults: Detail[] = [];
  for (const name of names) {
    const one = await find(name).catch(orFaults);
    if (one instanceof ApiError) faults.push(...one.details.map(({ message }) => ({ parameter: name, message })));
    else found.set(name, one);
  }
  const [known, later] = [found.get("knownAt"), found.get("comparedAt")];
  if (known && later && later.knownAt < known.knownAt) {
    const message = wording.order("knownAt", "comparedAt");
    faults.push({ parameter: "knownAt", message }, { parameter: "comparedAt", message });
  }
  return { found, faults };
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
