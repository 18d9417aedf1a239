import path from "node:path";
import express, { type Response, type Router } from "express";
import helmet from "helmet";
import { exists } from "../../core/files/exists.ts";
import { EXPLORER } from "../../core/files/paths.ts";
import { precompressed } from "../../core/http/precompressed.ts";

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

/** Names with a hash of their content: another content has another name. */
const HASHED = /-[A-Z0-9]{8}\.(js|css)$/;
const FOR_EVER = "public, max-age=31536000, immutable";

/** The Explorer. It contains no data, so it needs no credentials. */
export function explorer(folder: string = EXPLORER): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const page = path.join(folder, "index.html");
  router.get("/explorer", policy, async (_request, response: Response) => {
    if (await exists(page)) return response.sendFile(page);
    response.status(503).type("html").send(UNBUILT);
  });
  const senders = new Map<string, ReturnType<typeof precompressed>>();
  router.get("/explorer/:file", policy, async (request, response, next) => {
    const name = String(request.params.file);
    const file = path.join(folder, name);
    // `static` answers everything but the names of scripts, styles and pictures in the folder itself.
    if (!/^[\w-]+\.(js|css|svg)$/.test(name) || !(await exists(file))) return next();
    if (HASHED.test(name)) response.set("Cache-Control", FOR_EVER);
    const send = senders.get(name) ?? precompressed(file);
    senders.set(name, send);
    return send(request, response, next);
  });
  router.use("/explorer", policy, express.static(folder, { index: false, redirect: false, cacheControl: false }));
  return router;
}
