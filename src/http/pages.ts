import compression from "compression";
import express, { type Response, type Router } from "express";
import { documents } from "./documents.ts";
import { explorer } from "./explorer.ts";
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
export function pages(deps: Dependencies): Router {
  const router = express.Router({ caseSensitive: true });
  router.use(
    compression({
      threshold: 1024,
      filter: (request, response: Response) => !isPrecompressed(response) && compression.filter(request, response),
    }),
  );
  router.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  router.get("/readyz", async (request, response) => {
    const state = await deps.ready();
    const details = "verbose" in request.query && isLocal(request) ? await deps.details?.() : undefined;
    response.status(state.ready ? 200 : 503).json({ ...state, ...details });
  });
  return router.use(redirects(), documents(), explorer(deps.explorer));
}
