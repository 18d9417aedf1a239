import compression from "compression";
import express, { type Response, type Router } from "express";
import { documents } from "./documents.ts";
import type { HttpFeature } from "./feature.ts";
import { isLocal } from "./local.ts";
import { isPrecompressed } from "./precompressed.ts";

interface Dependencies {
  readonly ready: () => Promise<{ readonly ready: boolean }>;
  /** Details that `/readyz?verbose` adds for requests from this machine. */
  readonly details?: () => Promise<object>;
  readonly features?: readonly HttpFeature[];
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

/** Pages without credentials: health, the API document and its page, the pages of features. */
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
  const others = (deps.features ?? []).flatMap(({ pages }) => (pages ? [pages()] : []));
  return router.use(redirects(), documents(), ...others);
}
