import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../contract/error.ts";
import { UUID } from "../contract/param.ts";
import type { Organization } from "../contract/settings.ts";
import { exists } from "../files/exists.ts";
import { paths } from "../files/paths.ts";
import type { Storage } from "../files/storage.ts";
import { UnderWay } from "../files/underWay.ts";
import { misnamed, parseOrganization } from "./settings.ts";

export interface Found {
  readonly settings: Organization;
  /** The faults of the present file; the settings are the last good ones. */
  readonly problem?: string | undefined;
}

const isSettings = (name: string): boolean => name.endsWith(".json") && UUID.test(name.slice(0, -5));
const idOf = (name: string): string => name.slice(0, -5).toLowerCase();

/** The settings files among some names, by id. If one id has two files, the one in lower case counts. */
function settingsFiles(names: readonly string[]): Map<string, string> {
  return new Map(
    names
      .filter(isSettings)
      .sort()
      .map((name) => [idOf(name), name]),
  );
}

const spelledTwice = (name: string): string =>
  `organizations/${name}: not read, another file has the settings of the same organization`;

interface Known {
  lookedAt: number;
  file?: string;
  version: string;
  found: Found | undefined;
}

interface Options {
  readonly onProblem: (problem: string) => void;
  /** The text of the last good settings, for a process that starts on a bad file. */
  readonly remembered?: (id: string) => Promise<string | undefined>;
}

interface GetOptions {
  /** Checks the file now. */
  readonly fresh?: boolean;
  /** For a request: if it does not answer, the last known settings are in force. */
  readonly storage?: Storage | undefined;
}

/** How often a settings file is checked while requests come in. */
const LOOK_MS = 500;

/** The organizations of a data folder. Only a UUID ever becomes part of a path. */
export class Organizations {
  readonly folder: string;
  readonly #options: Options;
  readonly #known = new Map<string, Known>();
  readonly #looking = new UnderWay<string, Found | undefined>();
  readonly #reported = new Set<string>();

  constructor(dataDir: string, options: Options) {
    this.folder = paths.settings(dataDir);
    this.#options = options;
  }

  /** Ids of all settings files, good or bad. A misnamed file is reported once. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => [] as string[]);
    const files = settingsFiles(names);
    const twice = names.filter((name) => isSettings(name) && files.get(idOf(name)) !== name).map(spelledTwice);
    for (const problem of [...names.map(misnamed), ...twice]) {
      if (problem === undefined || this.#reported.has(problem)) continue;
      this.#reported.add(problem);
      this.#options.onProblem(problem);
    }
    return [...files.keys()].sort();
  }

  /** The settings in force of every organization that has good ones. */
  async all(options: { readonly fresh?: boolean } = {}): Promise<Organization[]> {
    const known: Organization[] = [];
    for (const id of await this.ids()) {
      const found = await this.get(id, options);
      if (found) known.push(found.settings);
    }
    return known;
  }

  /** The settings in force; undefined for an id without settings. */
  async get(asked: string, { fresh = false, storage }: GetOptions = {}): Promise<Found | undefined> {
    if (!UUID.test(asked)) return undefined;
    const id = asked.toLowerCase();
    // A check under way may have begun before the file changed.
    if (fresh) await this.#looking.get(id);
    const known = this.#known.get(id);
    if (!this.#looking.get(id) && known && !fresh && performance.now() - known.lookedAt < LOOK_MS) return known.found;
    if (known && storage?.isLate) return known.found;
    storage?.assertAnswers();
    // One check at a time: a problem is reported once, and callers that come meanwhile get the same result.
    const looking = this.#looking.share(id, () => this.#look(id));
    if (known && storage && !(await storage.inTime(looking))) return known.found;
    return storage ? storage.result(looking) : looking;
  }

  async #look(id: string): Promise<Found | undefined> {
    const known = this.#known.get(id) ?? { lookedAt: 0, version: "", found: undefined };
    known.lookedAt = performance.now();
    const file = await this.#fileOf(id, known.file);
    const found = file && (await stat(file, { bigint: true }).catch(() => undefined));
    if (!file || !found) {
      this.#known.delete(id);
      return undefined;
    }
    known.file = file;
    const version = `${found.ino}-${found.size}-${found.ctimeNs}`;
    if (version !== known.version) {
      known.found = await this.#read(id, file, known.found);
      known.version = version;
    }
    this.#known.set(id, known);
    return known.found;
  }

  /** The settings file of an id, in lower case or capitals. */
  async #fileOf(id: string, known: string | undefined): Promise<string | undefined> {
    for (const file of [path.join(this.folder, `${id}.json`), ...(known ? [known] : [])]) {
      if (await exists(file)) return file;
    }
    const name = settingsFiles(await readdir(this.folder).catch(() => [] as string[])).get(id);
    return name && path.join(this.folder, name);
  }

  async #read(id: string, file: string, before: Found | undefined): Promise<Found | undefined> {
    const name = path.relative(path.dirname(this.folder), file);
    try {
      const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        throw new OperatorError(`${name}: cannot be read (${error.code})`);
      });
      return { settings: parseOrganization(content, name, id) };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      this.#options.onProblem(error.message);
      const good = before?.settings ?? (await this.#remember(id, name));
      return good && { settings: good, problem: error.message };
    }
  }

  async #remember(id: string, name: string): Promise<Organization | undefined> {
    const content = await this.#options.remembered?.(id);
    try {
      return content === undefined ? undefined : parseOrganization(content, name, id);
    } catch {
      // Good by earlier rules, but not by the present ones. The fault in the file itself was reported already.
      return undefined;
    }
  }
}
