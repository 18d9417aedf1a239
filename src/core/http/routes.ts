import type { AnyEndpoint } from "../contract/endpoint.ts";

/** Paths of no endpoint that are counted under their own names. */
const NAMED = ["/healthz", "/readyz"];

/** A declared path. */
export interface Route {
  /** With the names of its parameters in place of their values: `/v1/products/:productId`. */
  readonly path: string;
  readonly endpoint?: AnyEndpoint;
  /** Pattern of a path with parameters, with a group for each. */
  readonly pattern?: RegExp;
}

/** Finds the declared path of an address that is not decoded, for its name in the log and for links. */
export type FindRoute = (path: string) => Route | undefined;

/** `others`: the paths of features. */
export function routesOf(endpoints: readonly AnyEndpoint[], others: readonly string[] = []): FindRoute {
  const declared: Route[] = [
    ...endpoints.map((endpoint) => ({ path: endpoint.path, endpoint })),
    ...[...NAMED, ...others].map((path) => ({ path })),
  ];
  const fixed = new Map(declared.filter(({ path }) => !path.includes(":")).map((route) => [route.path, route]));
  const patterns = declared
    .filter(({ path }) => !fixed.has(path))
    .map((route) => ({ ...route, pattern: patternOf(route.path) }));
  return (path) => fixed.get(path) ?? patterns.find(({ pattern }) => pattern.test(path));
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, "([^/]+)")}$`);

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

/** The decoded values of a path's parameters. */
export function valuesIn(path: string, route: Route | undefined): Record<string, string> {
  const [, ...values] = route?.pattern?.exec(path) ?? [];
  if (!route || values.length === 0) return {};
  return Object.fromEntries(namesIn(route.path).map((name, n) => [name, decodeURIComponent(values[n] ?? "")]));
}
