import type { PinsEndpoint } from "../../core/contract/endpoint.ts";
import { addVary, sendCompressible, sendUnchanged } from "../../core/http/body.ts";
import { isFresh, tagged } from "../../core/http/cache.ts";
import type { Exchange, Principal } from "../../core/http/exchange.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import { formatOf, setType } from "../../core/http/formats.ts";
import { validate } from "../../core/params/validate.ts";
import type { ShownPin } from "./shown.ts";

export interface PinsDependencies {
  /** The pins of an organization, newest first. */
  readonly pins: (organization: string) => Promise<readonly ShownPin[]>;
  readonly now: () => Date;
}

/** Answers `/v1/pins`. */
export const pinsFeature = (deps: PinsDependencies): HttpFeature => ({
  answers: {
    pins: () => (exchange, endpoint, principal) => answer(deps, exchange, endpoint as PinsEndpoint, principal),
  },
});

async function answer(
  { pins, now }: PinsDependencies,
  exchange: Exchange,
  endpoint: PinsEndpoint,
  { organizationId }: Principal,
): Promise<void> {
  const { request, response } = exchange;
  const accepted = validate(endpoint, exchange.sent, now());
  addVary(exchange, "Accept");
  const format = formatOf(request, endpoint, accepted);
  const { body, etag } = await tagged(JSON.stringify({ data: await pins(organizationId) }));
  response.setHeader("ETag", etag);
  if (isFresh(request.headers["if-none-match"], etag)) return sendUnchanged(exchange);
  setType(response, { endpoint, format });
  await sendCompressible(exchange, body);
}
