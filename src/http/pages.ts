import compression from "compression";
import express, { type Request, type Response } from "express";
import { ApiError } from "../contract/error.ts";
import { documents } from "./documents.ts";
import type { Exchange } from "./exchange.ts";
import { explorer } from "./explorer.ts";
import { refuseOtherMethods, refuseUndecodable } from "./failure.ts";
import { isLocal } from "./local.ts";
import { isPrecompressed } from "./precompressed.ts";

interface Dependencies {
  readonly ready: () => Promise<{ readonly ready: boolean }>;
  /** What `/readyz?verbose` adds for requests from this machine. */
  readonly details?: () => Promise<object>;
  /** Folder of the built Explorer, if it is not the default one. */
  readonly explorer?: string;
}

/** What needs no credentials: health, the API document and its page, the Explorer. */
export function pages(deps: Dependencies): (exchange: Exchange) => Promise<void> {
  const app = express();
  app.disable("x-powered-by");
  app.enable("case sensitive routing");
  app.set("etag", false);
  app.use(
    compression({
      threshold: 1024,
      filter: (request, response: Response) => !isPrecompressed(response) && compression.filter(request, response),
    }),
  );
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", async (request, response) => {
    const state = await deps.ready();
    const details = "verbose" in request.query && isLocal(request) ? await deps.details?.() : undefined;
    response.status(state.ready ? 200 : 503).json({ ...state, ...details });
  });
  app.use(documents(), explorer(deps.explorer));
  return async (exchange) => {
    const { request, response } = exchange;
    // Express calls this only for a request that it does not answer.
    const error = await new Promise((passOn) => app(request as Request, response as Response, passOn));
    if (error) throw error;
    refuseOtherMethods(exchange);
    refuseUndecodable(exchange);
    throw new ApiError("notFound");
  };
}
