import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import helmet from "helmet";
import type { Exchange } from "./exchange.ts";

/** The headers that `helmet` sets: they are the same for every response. */
const SECURITY = securityHeaders();

function securityHeaders(): [name: string, value: string][] {
  const headers: [string, string][] = [];
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  helmet()(request, response, (error) => {
    if (error) throw error;
  });
  return headers;
}

/** The headers of every response. */
export function setCommonHeaders({ response, id }: Exchange): void {
  response.setHeader("X-Request-Id", id);
  response.setHeader("Cache-Control", "private, no-cache");
  for (const [name, value] of SECURITY) response.setHeader(name, value);
}
