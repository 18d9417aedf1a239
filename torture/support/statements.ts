import { DuckDBConnection } from "@duckdb/node-api";

/** The text of every statement sent to the engine while it listens. */
export class Statements {
  readonly texts = new Set<string>();
  readonly #stop: () => void;

  /** `onStatement`: called for each statement at once. */
  constructor(onStatement: (sql: string) => void = () => {}) {
    const { prototype } = DuckDBConnection;
    // All statements of the service pass through these two, without the bound values.
    const { run, stream } = prototype;
    const heard = <A extends [string, ...unknown[]], R>(method: (this: DuckDBConnection, ...all: A) => R) => {
      const report = (sql: string): void => {
        this.texts.add(sql.replaceAll(/\b\d+\b/g, "0").replaceAll(/[0-9a-f]{16}/g, "…"));
        onStatement(sql);
      };
      return function listening(this: DuckDBConnection, ...all: A): R {
        report(all[0]);
        return method.apply(this, all);
      };
    };
    prototype.run = heard(run);
    prototype.stream = heard(stream);
    this.#stop = () => void Object.assign(prototype, { run, stream });
  }

  stop(): void {
    this.#stop();
  }
}
