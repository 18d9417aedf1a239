import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import compression from "compression";
import express from "express";
import { rateLimit } from "express-rate-limit";
import helmet from "helmet";
import { pino } from "pino";

// An Express route that only sends the bytes of a file; with `--middleware`, behind the packages that the service needs: security
// headers, compression, a check of credentials, a limit, and a log. Run as a process, it writes its port on a line.
const [file = "", middleware] = process.argv.slice(2);
const body = await readFile(file);
const app = express();
app.disable("x-powered-by");
app.set("etag", false);
if (middleware === "--middleware") {
  const log = pino(pino.destination("/dev/null"));
  const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
  const known = hashOf("secret");
  app.use((request, response, next) => {
    response.on("close", () => log.info({ method: request.method, status: response.statusCode }, "request completed"));
    next();
  });
  app.use(helmet(), compression());
  app.use((request, response, next) => {
    if (timingSafeEqual(hashOf(String(request.headers["x-client-secret"])), known)) next();
    else response.sendStatus(401);
  });
  app.use(rateLimit({ limit: 1_000_000_000, keyGenerator: ({ headers }) => String(headers["x-client-id"]) }));
}
app.get("/bytes", (_request, response) => void response.type("json").send(body));
const server = app.listen(0, "127.0.0.1", () => console.log(JSON.stringify(server.address())));
