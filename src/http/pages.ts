import compression from "compression";
import express, { type Request, type Response, type Router } from "express";
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

/** The address of the service leads to the Explorer, and `/docs/` to `/docs`: the pages' own addresses end without a slash. */
function redirects(): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get(/^\/$/, (_request, response) => response.redirect("/explorer"));
  router.get(["/docs/", "/explorer/"], ({ path, originalUrl }, response) => {
    const query = originalUrl.indexOf("?");
    response.redirect(308, path.slice(0, -1) + (query < 0 ? "" : originalUrl.slice(query)));
  });
  return router;
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
  app.use(redirects(), documents(), explorer(deps.explorer));
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
