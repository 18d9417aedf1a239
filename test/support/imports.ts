import path from "node:path";
import { expect } from "chai";
import { CONNECTORS } from "../../src/core/contract/record.ts";
import type { Integration, Organization } from "../../src/core/contract/settings.ts";
import { command, type Said } from "./command.ts";
import { DataFolder, STOREA } from "./data.ts";
import type { Files } from "./tools.ts";

/** An account of each connector. */
export const ALL_CONNECTORS: readonly Integration[] = CONNECTORS.map((connector, n) => ({
  id: STOREA.replace(/.$/, String(n)),
  connector,
}));

/** `lucra import` into a data folder, which is a new one for each test. */
export class Imports {
  data!: DataFolder;
  /** The last command. */
  seen!: Said;

  constructor(organization: Organization) {
    beforeEach(async () => {
      this.data = await DataFolder.empty();
      await this.data.settings(organization);
    });
    afterEach(() => this.data.remove());
  }

  /** The reports of the files. */
  async reports(...args: string[]): Promise<Record<string, unknown>[]> {
    this.seen = await command(this.data, "import", ...args, "--json");
    expect(this.seen.stdout, this.seen.stderr).to.match(/^\[/);
    return JSON.parse(this.seen.stdout);
  }

  /** Why the only file is refused. */
  async refusal(...args: string[]): Promise<string> {
    const [report] = await this.reports(...args);
    expect([report?.state, this.seen.status], JSON.stringify(report)).to.deep.equal(["refused", 1]);
    return String(report?.reason);
  }

  /** Writes a file to import. */
  given(name: string, content: string | Buffer): Promise<string> {
    return this.data.write(`given/${name}`, content);
  }

  /** Writes a folder to import. */
  async folder(files: Files): Promise<string> {
    for (const [name, content] of Object.entries(files)) await this.given(name, content);
    return path.join(this.data.path, "given");
  }
}
