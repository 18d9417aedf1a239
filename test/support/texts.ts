import type { Endpoint, RequestContext } from "../../src/core/contract/endpoint.ts";
import { encoded, type Text } from "../../src/core/contract/longText.ts";
import type { Accepted } from "../../src/core/contract/param.ts";

/** An answer as one string. */
export const asText = async (answer: Promise<Text>): Promise<string> => (await encoded(await answer)).toString();

/** A request of an endpoint on its way to the engine. */
export const contextOf = (
  endpoint: Endpoint,
  organizationId: string,
  accepted: Accepted,
  signal = new AbortController().signal,
): RequestContext => ({ endpoint, organizationId, accepted, format: "json", signal, onQuery: () => {} });
