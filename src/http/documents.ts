import path from "node:path";
import { fileURLToPath } from "node:url";
import express, { type Router } from "express";
import helmet from "helmet";
import { OPENAPI } from "../paths.ts";

const PAGE = path.join(import.meta.dirname, "page");
const SWAGGER_UI = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

const FILES: Readonly<Record<string, string>> = {
  "/openapi.json": OPENAPI,
  "/docs": path.join(PAGE, "index.html"),
  "/docs/page.js": path.join(PAGE, "page.js"),
  "/docs/page.css": path.join(PAGE, "page.css"),
  "/docs/swagger-ui.css": path.join(SWAGGER_UI, "swagger-ui.css"),
  "/docs/swagger-ui-bundle.js": path.join(SWAGGER_UI, "swagger-ui-bundle.js"),
};

/** Stricter than what the rest has: everything comes from here, and where the service has no TLS the page does without. */
const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'", "data:"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** The API document and its page, for everybody: they hold no data. */
export function documents(): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [address, file] of Object.entries(FILES)) {
    router.get(address, policy, (_request, response) => response.sendFile(file));
  }
  return router;
}
