import { Session } from "../../src/engine/database.ts";

/** Every statement that goes to the engine while it listens, as its text. */
export class Statements {
  readonly texts = new Set<string>();
  readonly #stop: () => void;

  /** `onStatement`: told of each at once. */
  constructor(onStatement: (sql: string) => void = () => {}) {
    const { prototype } = Session;
    const { run, rows, texts, chunks, columns } = prototype;
    const heard = <A extends [string, ...unknown[]], R>(method: (this: Session, ...all: A) => R) => {
      const tell = (sql: string): void => {
        this.texts.add(sql.replaceAll(/\b\d+\b/g, "0").replaceAll(/[0-9a-f]{16}/g, "…"));
        onStatement(sql);
      };
      return function listening(this: Session, ...all: A): R {
        tell(all[0]);
        return method.apply(this, all);
      };
    };
    prototype.run = heard(run);
    prototype.rows = heard(rows);
    prototype.texts = heard(texts);
    prototype.chunks = heard(chunks);
    prototype.columns = heard(columns);
    this.#stop = () => void Object.assign(prototype, { run, rows, texts, chunks, columns });
  }

  stop(): void {
    this.#stop();
  }
}
