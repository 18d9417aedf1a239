import { access } from "node:fs/promises";
import path from "node:path";
import express, { type Response, type Router } from "express";
import helmet from "helmet";
import { EXPLORER } from "../paths.ts";

/** Allows only own files: no inline scripts or styles. */
const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

const UNBUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Lucra Explorer</title></head>
  <body>
    <h1>The Explorer has not been built</h1>
    <p>In the project's folder, with the development dependencies installed: <code>npm run explorer</code>.</p>
    <p>Everything it would show is at <a href="/docs">/docs</a>.</p>
  </body>
</html>
`;

/** The Explorer. It contains no data, so it needs no credentials. */
export function explorer(folder: string = EXPLORER): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const page = path.join(folder, "index.html");
  router.get("/explorer", policy, async (_request, response: Response) => {
    const isBuilt = await access(page).then(
      () => true,
      () => false,
    );
    if (isBuilt) return response.sendFile(page);
    response.status(503).type("html").send(UNBUILT);
  });
  router.use("/explorer", policy, express.static(folder, { index: false, redirect: false, cacheControl: false }));
  return router;
}
