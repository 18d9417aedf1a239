import { DuckDBConnection } from "@duckdb/node-api";

/** Every statement that goes to the engine while it listens, as its text. */
export class Statements {
  readonly texts = new Set<string>();
  readonly #stop: () => void;

  /** `onStatement`: told of each at once. */
  constructor(onStatement: (sql: string) => void = () => {}) {
    const { prototype } = DuckDBConnection;
    // All that the service asks goes through these two, bound values apart.
    const { run, stream } = prototype;
    const heard = <A extends [string, ...unknown[]], R>(method: (this: DuckDBConnection, ...all: A) => R) => {
      const tell = (sql: string): void => {
        this.texts.add(sql.replaceAll(/\b\d+\b/g, "0").replaceAll(/[0-9a-f]{16}/g, "…"));
        onStatement(sql);
      };
      return function listening(this: DuckDBConnection, ...all: A): R {
        tell(all[0]);
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
