import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import { validate as isSchedule } from "node-cron";
import { OperatorError } from "./contract/error.ts";
import { UUID } from "./contract/param.ts";
import { CONNECTORS } from "./contract/record.ts";
import type { Organization } from "./contract/settings.ts";
import { exists } from "./files.ts";
import { nearest } from "./nearest.ts";
import { paths } from "./paths.ts";

// The description of a schema is the message that the operator sees.
const text = { type: "string", minLength: 1, description: "a text is expected" };
const uuid = { type: "string", pattern: UUID.source, description: "a UUID is expected" };
const percent = { type: "number", minimum: 0, maximum: 100, description: "a number from 0 to 100 is expected" };
const marginItem = {
  description: '"orders" or {"percent": 0 to 100} is expected',
  anyOf: [
    { const: "orders" },
    { type: "object", additionalProperties: false, required: ["percent"], properties: { percent } },
  ],
};
const stage = { type: "array", items: text, minItems: 1, description: "a list of event names is expected" };

/** The shape of the settings [D48]. `rules` checks what a schema cannot express. */
export const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["organizationId", "name"],
  properties: {
    organizationId: uuid,
    name: text,
    currency: { type: "string", pattern: "^[A-Z]{3}$", description: "three capital letters, such as BRL" },
    integrations: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["id", "connector"],
        properties: {
          id: uuid,
          connector: { enum: CONNECTORS },
          name: text,
          userId: text,
          timezone: text,
          schedule: text,
        },
      },
    },
    margin: {
      type: "object",
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      properties: {
        percent,
        items: {
          type: "object",
          additionalProperties: false,
          properties: { gateway: marginItem, tax: marginItem, shipping: marginItem, costOfGoods: marginItem },
        },
      },
    },
    campaigns: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["strategy"],
        properties: { strategy: { enum: ["acquisition", "brand", "monetization"] }, id: text, name: text },
      },
    },
    funnel: {
      type: "object",
      additionalProperties: false,
      required: ["interest", "decision"],
      properties: { interest: stage, decision: stage },
    },
  },
};

const fits = new Ajv({ allErrors: true, verbose: true }).compile<Organization>(SCHEMA);

/** A JSON pointer in the notation of the operator: `/integrations/0/id` is `integrations[0].id`. */
const placeOf = (pointer: string, ...keys: string[]): string =>
  [...pointer.split("/").slice(1), ...keys].reduce(
    (place, key) => (/^\d+$/.test(key) ? `${place}[${key}]` : place ? `${place}.${key}` : key),
    "",
  );

/** Reports an unknown word, and the known one that was probably meant. */
function unknown(place: string, word: string, known: readonly string[], what = "unknown"): string {
  const guess = nearest(word, known);
  return `${place}: ${what}, ${guess ? `did you mean ${guess}?` : `known are ${known.join(", ")}`}`;
}

/** Describes a fault with its place: `integrations[0].conector: unknown, did you mean connector?` */
function faultText(error: ErrorObject): string {
  const place = placeOf(error.instancePath) || "(top level)";
  if (error.keyword === "additionalProperties") {
    const key = String(error.params.additionalProperty);
    const known = Object.keys((error.parentSchema?.properties ?? {}) as object);
    return unknown(placeOf(error.instancePath, key), key, known);
  }
  if (error.keyword === "required") return `${placeOf(error.instancePath, error.params.missingProperty)}: missing`;
  if (error.keyword === "enum") {
    const given = JSON.stringify(error.data);
    return unknown(place, String(error.data), error.params.allowedValues as string[], `${given} is unknown`);
  }
  if (error.keyword === "maxProperties" || error.keyword === "minProperties") {
    const known = Object.keys((error.parentSchema?.properties ?? {}) as object);
    return `${place}: one key is expected, ${known.join(" or ")}`;
  }
  return `${place}: ${error.parentSchema?.description ?? error.message}`;
}

function rules(settings: Organization, id: string): string[] {
  const wrong: string[] = [];
  if (settings.organizationId.toLowerCase() !== id.toLowerCase())
    wrong.push(`organizationId: the file's name says ${id}`);
  const seen = new Set<string>();
  for (const [n, integration] of (settings.integrations ?? []).entries()) {
    const same = integration.id.toLowerCase();
    const place = `integrations[${n}]`;
    if (seen.has(same)) wrong.push(`${place}.id: ${integration.id} is there twice`);
    seen.add(same);
    if (integration.timezone && !isTimezone(integration.timezone)) {
      const guess = nearest(integration.timezone, Intl.supportedValuesOf("timeZone"));
      wrong.push(
        `${place}.timezone: "${integration.timezone}" is no known timezone, ` +
          (guess ? `did you mean ${guess}?` : "such as America/Sao_Paulo"),
      );
    }
    if (integration.schedule && !isSchedule(integration.schedule)) {
      wrong.push(`${place}.schedule: "${integration.schedule}" is no cron expression, such as */30 * * * *`);
    }
  }
  for (const [n, rule] of (settings.campaigns ?? []).entries()) {
    if ("id" in rule === "name" in rule) wrong.push(`campaigns[${n}]: either id or name is expected`);
  }
  return wrong;
}

/** Accepts only named zones: newer versions of Node accept `+03:00` too, but the engine does not. */
function isTimezone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Some editors write a byte order mark before the text. */
const withoutMark = (content: string): string => content.replace(/^\uFEFF/, "");

/** Reads settings from a file's text; returns the settings or all faults. */
export function readOrganization(content: string, id: string): { settings?: Organization; faults: readonly string[] } {
  const text = withoutMark(content);
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch (error) {
    return { faults: [`${lineOf(text, error as Error)}${(error as Error).message}`] };
  }
  // The validator also reports each branch of an `anyOf`: the description of the whole is enough.
  const faults = fits(settings)
    ? rules(settings, id)
    : (fits.errors ?? []).filter(({ schemaPath }) => !/\/anyOf\/\d/.test(schemaPath)).map(faultText);
  return faults.length > 0 ? { faults } : { settings: inOneSpelling(settings as Organization), faults };
}

/** UUIDs in lower case, so that folders and answers have one spelling. */
function inOneSpelling(settings: Organization): Organization {
  const { organizationId, integrations } = settings;
  return {
    ...settings,
    organizationId: organizationId.toLowerCase(),
    ...(integrations ? { integrations: integrations.map((one) => ({ ...one, id: one.id.toLowerCase() })) } : {}),
  };
}

/** `JSON.parse` reports an offset; an operator needs the line. */
function lineOf(text: string, { message }: Error): string {
  const offset = /position (\d+)/.exec(message)?.[1];
  return offset === undefined ? "" : `line ${text.slice(0, Number(offset)).split("\n").length}: `;
}

/** Reads settings from a file's text; throws an OperatorError that names file and place. */
export function parseOrganization(content: string, file: string, id: string): Organization {
  const { settings, faults } = readOrganization(content, id);
  if (!settings) throw new OperatorError(`${file}: ${faults.join("; ")}`);
  return settings;
}

/** The fault in the name of a settings file; undefined for a good name, and for a file that is not settings. */
export function misnamed(name: string): string | undefined {
  if (name.startsWith(".") || !name.endsWith(".json") || UUID.test(name.slice(0, -5))) return undefined;
  return `organizations/${name}: not read, settings are named <organizationId>.json`;
}

export interface Found {
  readonly settings: Organization;
  /** Why the present file was refused; the settings are the last good ones. */
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

/** How often a settings file is checked while requests come in. */
const LOOK_MS = 500;

/** The organizations of a data folder. Only a UUID ever becomes part of a path. */
export class Organizations {
  readonly folder: string;
  readonly #options: Options;
  readonly #known = new Map<string, Known>();
  readonly #looking = new Map<string, Promise<Found | undefined>>();
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

  /** The settings in force; undefined for an id without settings. `fresh` checks the file now. */
  async get(asked: string, { fresh = false }: { readonly fresh?: boolean } = {}): Promise<Found | undefined> {
    if (!UUID.test(asked)) return undefined;
    const id = asked.toLowerCase();
    // A check under way may have begun before the file changed.
    if (fresh) await this.#looking.get(id);
    const known = this.#known.get(id);
    const under = this.#looking.get(id);
    if (!under && known && !fresh && performance.now() - known.lookedAt < LOOK_MS) return known.found;
    // One check at a time: a problem is reported once, and callers that come meanwhile get the same result.
    const looking = under ?? this.#look(id).finally(() => this.#looking.delete(id));
    this.#looking.set(id, looking);
    return looking;
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
