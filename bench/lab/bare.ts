import { readFile } from "node:fs/promises";
import express from "express";

// An Express route that only sends the bytes of a file: run as a process, it writes its port on a line.
const body = await readFile(process.argv[2] ?? "");
const app = express();
app.disable("x-powered-by");
app.set("etag", false);
app.get("/bytes", (_request, response) => void response.type("json").send(body));
const server = app.listen(0, "127.0.0.1", () => console.log(JSON.stringify(server.address())));
