import express from "express";
import type { Logger } from "pino";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Exchange } from "./exchange.ts";
import { isLoopbackName } from "./local.ts";
import { type Listening, listen } from "./server.ts";

/** Seconds, from the time of a cached answer to the deadline. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Landed rows of an integration by record, and the seconds since its last landing; infinite if there was no landing. */
interface Landings {
  readonly organization: string;
  readonly integration: string;
  readonly connector: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly lag: number;
}

/**
 * The operator's metrics. Labels are names from declarations, and ids of organizations and integrations from the
 * settings, never values from a request.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #common = { registers: [this.registry] };

  readonly requests = new Counter({
    ...this.#common,
    name: "lucra_requests_total",
    help: "Requests by declared path and status; 499: the client was gone before the answer.",
    labelNames: ["endpoint", "status"],
  });
  readonly requestSeconds = this.#histogram("lucra_request_seconds", "Time to an answer's last byte.", ["endpoint"]);
  readonly queueSeconds = this.#histogram("lucra_queue_seconds", "Time a computation waited for a slot.", []);
  readonly querySeconds = this.#histogram("lucra_query_seconds", "Time a SQL file ran.", ["sql"]);
  readonly encodeSeconds = this.#histogram(
    "lucra_encode_seconds",
    "Time from the last query to the answer's finished body, before compression.",
    ["endpoint"],
  );
  readonly lookups = new Counter({
    ...this.#common,
    name: "lucra_cache_lookups_total",
    help: "Answers from the cache (hit; ahead: one that was made before it was asked for), of another request's computation (shared), or computed (miss).",
    labelNames: ["endpoint", "result"],
  });

  readonly webhooks = new Counter({
    ...this.#common,
    name: "lucra_webhook_attempts_total",
    help: "Requests to an organization's webhook: delivered, failed, or gone (the receiver wants no more).",
    labelNames: ["organization", "outcome"],
  });
  readonly toolCalls = new Counter({
    ...this.#common,
    name: "lucra_tool_calls_total",
    help: "Calls of tools over MCP, by tool and result: ok or error.",
    labelNames: ["tool", "result"],
  });

  #histogram<T extends string>(name: string, help: string, labelNames: readonly T[]): Histogram<T> {
    return new Histogram({ ...this.#common, name, help, labelNames, buckets: BUCKETS });
  }

  /** Counts a request when its connection has taken the answer or is closed. */
  ended({ route, response, timing }: Exchange): void {
    const endpoint = route?.path ?? "other";
    this.requests.inc({ endpoint, status: response.writableFinished ? response.statusCode : 499 });
    this.requestSeconds.observe({ endpoint }, timing.total / 1000);
  }

  /** Returns what counts a request whose limit Redis did not count. */
  countLimitFallbacks(): () => void {
    const counter = new Counter({
      ...this.#common,
      name: "lucra_limit_fallbacks_total",
      help: "Requests whose limit was counted only in this process, because Redis did not answer.",
    });
    return () => counter.inc();
  }

  /** Reads the queue at each scrape. */
  watchQueue(queue: { readonly running: number; readonly waiting: number }, slots: number): void {
    this.#gauge("lucra_queue_waiting", "Requests waiting for a slot.", () => queue.waiting);
    this.#gauge("lucra_queue_running", "Slots in use.", () => queue.running);
    this.#gauge("lucra_queue_slots", "All slots.", () => slots);
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      ...this.#common,
      name,
      help,
      collect() {
        this.set(read());
      },
    });
  }

  /** Reads the landings at each scrape. If that fails, their gauges have no values. */
  watchLandings(read: () => Promise<readonly Landings[]>, log: Logger): void {
    let reading: Promise<readonly Landings[]> | undefined;
    // Both gauges of a scrape share one read.
    const landed = (): Promise<readonly Landings[]> => {
      reading ??= read()
        .catch((error) => {
          log.error({ err: error }, "the lake could not be read for the metrics");
          return [];
        })
        .finally(() => {
          reading = undefined;
        });
      return reading;
    };
    const labelNames = ["organization", "integration", "connector"] as const;
    new Gauge({
      ...this.#common,
      name: "lucra_landed_rows",
      help: "Rows in the lake; every landed version of a row counts.",
      labelNames: [...labelNames, "record"],
      async collect() {
        const all = await landed();
        this.reset();
        for (const { lag: _, rows, ...labels } of all) {
          for (const [record, count] of Object.entries(rows)) this.set({ ...labels, record }, count);
        }
      },
    });
    new Gauge({
      ...this.#common,
      name: "lucra_integration_lag_seconds",
      help: "Time since the integration last landed a file; +Inf when it never did.",
      labelNames,
      async collect() {
        const all = await landed();
        this.reset();
        for (const { lag, rows: _, ...labels } of all) this.set(labels, lag);
      },
    });
  }

  /** Serves the metrics on the loopback address only; returns undefined if the port is in use. */
  async serve(port: number, log: Logger): Promise<Listening | undefined> {
    collectDefaultMetrics({ register: this.registry });
    const page = express();
    page.disable("x-powered-by");
    page.get("/metrics", async (request, response) => {
      if (!isLoopbackName(request)) return void response.status(403).type("text").send("ask for localhost\n");
      response.set("Content-Type", this.registry.contentType).send(await this.registry.metrics());
    });
    try {
      const listening = await listen(page, { host: "127.0.0.1", port }, log);
      log.info({ port: listening.port }, "metrics");
      return listening;
    } catch (error) {
      log.error(
        { problem: (error as Error).message },
        "no metrics; LUCRA_METRICS_PORT names another port, or 0 for none",
      );
      return undefined;
    }
  }
}
