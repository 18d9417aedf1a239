import type { AnyEndpoint } from "../core/contract/endpoint.ts";
import { endpointAt } from "../core/endpoints/index.ts";
import type { Case } from "./cases.ts";

/** A request and its shortened answer. */
export interface Example {
  readonly request: string;
  /** Its parameters, from the path and the query. */
  readonly sent: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

/** Rows of a list in an example. */
const ROWS = 2;

/** The endpoint's case with the most values; what its data lack is not counted. */
export function exampleOf(endpoint: AnyEndpoint, cases: readonly Case[]): Example {
  const [best] = cases
    .filter(({ request, status }) => status === 200 && endpointAt(request) === endpoint)
    .map(({ request, body }) => ({ request, sent: sentBy(endpoint, request), answer: shortened(body) }))
    .sort((a, b) => figuresIn(b.answer) - figuresIn(a.answer));
  if (!best) throw new Error(`no case of ${endpoint.path}`);
  return best;
}

function sentBy({ path }: AnyEndpoint, request: string): Record<string, string> {
  const { pathname, searchParams } = new URL(request, "http://localhost");
  const places = pathname.split("/");
  const inPath = path
    .split("/")
    .flatMap((name, n) => (name.startsWith(":") ? [[name.slice(1), decodeURIComponent(places[n] ?? "")]] : []));
  return Object.fromEntries([...inPath, ...searchParams]);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return (isObject(value[0]) ? value.slice(0, ROWS) : value).map(shortened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}

function figuresIn(value: unknown): number {
  if (!isObject(value)) return value === null || value === 0 ? 0 : 1;
  return Object.entries(value).reduce((sum, [name, member]) => sum + (name === "coverage" ? 0 : figuresIn(member)), 0);
}
