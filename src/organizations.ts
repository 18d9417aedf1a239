import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import { validate as isSchedule } from "node-cron";
import { OperatorError } from "./contract/error.ts";
import { UUID } from "./contract/param.ts";
import { CONNECTORS } from "./contract/record.ts";
import type { Organization } from "./contract/settings.ts";
import { nearest } from "./nearest.ts";
import { paths } from "./paths.ts";

// Where a schema has a description, that is what the operator is told.
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

/** The settings' shape [D48]. What a schema cannot say stands in `rules`. */
const SCHEMA = {
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

/** What is wrong, with the place: `integrations/0: unknown key "conector", did you mean "connector"?` */
function told(error: ErrorObject): string {
  const place = error.instancePath.slice(1) || "(top level)";
  if (error.keyword === "additionalProperties") {
    const key = String(error.params.additionalProperty);
    const known = Object.keys((error.parentSchema?.properties ?? {}) as object);
    const guess = nearest(key, known);
    return `${place}: unknown key "${key}"${guess ? `, did you mean "${guess}"?` : ` (known: ${known.join(", ")})`}`;
  }
  if (error.keyword === "required") return `${place}: "${error.params.missingProperty}" is missing`;
  if (error.keyword === "enum") return `${place}: one of ${(error.params.allowedValues as string[]).join(", ")}`;
  if (error.keyword === "maxProperties" || error.keyword === "minProperties") return `${place}: one key is expected`;
  return `${place}: ${error.parentSchema?.description ?? error.message}`;
}

function rules(settings: Organization, id: string): string[] {
  const wrong: string[] = [];
  if (settings.organizationId !== id) wrong.push(`organizationId: the file's name says ${id}`);
  const seen = new Set<string>();
  for (const [n, integration] of (settings.integrations ?? []).entries()) {
    const same = integration.id.toLowerCase();
    if (seen.has(same)) wrong.push(`integrations/${n}/id: ${integration.id} is there twice`);
    seen.add(same);
    if (integration.timezone && !isTimezone(integration.timezone)) {
      wrong.push(
        `integrations/${n}/timezone: "${integration.timezone}" is no known timezone, such as America/Sao_Paulo`,
      );
    }
    if (integration.schedule && !isSchedule(integration.schedule)) {
      wrong.push(`integrations/${n}/schedule: "${integration.schedule}" is no cron expression, such as */30 * * * *`);
    }
  }
  for (const [n, rule] of (settings.campaigns ?? []).entries()) {
    if ("id" in rule === "name" in rule) wrong.push(`campaigns/${n}: either id or name, not both`);
  }
  return wrong;
}

/** A zone with a name: newer Nodes know `+03:00` as well, the engine does not. */
function isTimezone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Editors put a byte order mark before a text, which is none of it. */
const withoutMark = (content: string): string => content.replace(/^\uFEFF/, "");

/** Settings from a file's text; throws an OperatorError that names file and place. */
export function parseOrganization(content: string, file: string, id: string): Organization {
  let settings: unknown;
  try {
    settings = JSON.parse(withoutMark(content));
  } catch (error) {
    throw new OperatorError(`${file}: ${(error as Error).message}`);
  }
  // What fits no branch is told for each branch as well: the description of the whole says enough.
  const wrong = fits(settings)
    ? rules(settings, id)
    : (fits.errors ?? []).filter(({ schemaPath }) => !/\/anyOf\/\d/.test(schemaPath)).map(told);
  if (wrong.length > 0) throw new OperatorError(`${file}: ${wrong.join("; ")}`);
  return settings as Organization;
}

export interface Found {
  readonly settings: Organization;
  /** Why the file as it is now was refused; the settings are the last good ones. */
  readonly problem?: string | undefined;
}

interface Known {
  lookedAt: number;
  version: string;
  found: Found | undefined;
}

interface Options {
  readonly onProblem: (problem: string) => void;
  /** The last good settings' text, kept elsewhere, for a process that starts on a bad file. */
  readonly remembered?: (id: string) => Promise<string | undefined>;
}

/** How often a settings file is looked at while requests come in. */
const LOOK_MS = 500;

/** The organizations of a data folder. Nothing but a UUID ever reaches a path. */
export class Organizations {
  readonly #folder: string;
  readonly #options: Options;
  readonly #known = new Map<string, Known>();
  readonly #looking = new Map<string, Promise<Found | undefined>>();

  constructor(dataDir: string, options: Options) {
    this.#folder = paths.settings(dataDir);
    this.#options = options;
  }

  /** Ids of all settings files, good or bad. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => [] as string[]);
    return names
      .filter((name) => name.endsWith(".json") && UUID.test(name.slice(0, -5)))
      .map((name) => name.slice(0, -5))
      .sort();
  }

  /** The settings in force of every organization that has good ones. */
  async all(): Promise<Organization[]> {
    const known: Organization[] = [];
    for (const id of await this.ids()) {
      const found = await this.get(id);
      if (found) known.push(found.settings);
    }
    return known;
  }

  /** The settings in force; undefined for an id without any. */
  async get(id: string): Promise<Found | undefined> {
    if (!UUID.test(id)) return undefined;
    const known = this.#known.get(id);
    if (known && performance.now() - known.lookedAt < LOOK_MS) return known.found;
    // One look at a time: a problem is reported once, and the first requests after a start all wait for the settings.
    const looking = this.#looking.get(id) ?? this.#look(id).finally(() => this.#looking.delete(id));
    this.#looking.set(id, looking);
    return looking;
  }

  async #look(id: string): Promise<Found | undefined> {
    const known = this.#known.get(id) ?? { lookedAt: 0, version: "", found: undefined };
    known.lookedAt = performance.now();
    const file = path.join(this.#folder, `${id}.json`);
    const found = await stat(file, { bigint: true }).catch(() => undefined);
    if (!found) {
      this.#known.delete(id);
      return undefined;
    }
    const version = `${found.ino}-${found.size}-${found.ctimeNs}`;
    if (version !== known.version) {
      known.found = await this.#read(id, file, known.found);
      known.version = version;
    }
    this.#known.set(id, known);
    return known.found;
  }

  async #read(id: string, file: string, before: Found | undefined): Promise<Found | undefined> {
    const name = path.relative(path.dirname(this.#folder), file);
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
      // Good once, by rules that have changed since. What is wrong with the file itself was reported already.
      return undefined;
    }
  }
}
