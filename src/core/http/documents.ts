import path from "node:path";
import { fileURLToPath } from "node:url";
import express, { type Router } from "express";
import helmet from "helmet";
import { OPENAPI, SOURCES } from "../files/paths.ts";
import { precompressed } from "./precompressed.ts";

const PAGE = path.join(SOURCES, "core", "http", "page");
const SWAGGER_UI = path.dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));

const FILES: Readonly<Record<string, string>> = {
  "/openapi.json": OPENAPI,
  "/docs": path.join(PAGE, "index.html"),
  "/docs/page.js": path.join(PAGE, "page.js"),
  "/docs/page.css": path.join(PAGE, "page.css"),
  "/docs/swagger-ui.css": path.join(SWAGGER_UI, "swagger-ui.css"),
  "/docs/swagger-ui-bundle.js": path.join(SWAGGER_UI, "swagger-ui-bundle.js"),
};

/** Stricter than the default policy: only own files, and no upgrade to TLS, which the service may not have. */
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

/** The API document and its page. They contain no data, so they need no credentials. */
export function documents(): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [address, file] of Object.entries(FILES)) {
    router.get(address, policy, precompressed(file), (_request, response) => response.sendFile(file));
  }
  return router;
}
