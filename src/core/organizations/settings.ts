import { Ajv, type ErrorObject } from "ajv";
import { validate as isSchedule } from "node-cron";
import { LOCALES } from "../contract/dialect.ts";
import { OperatorError } from "../contract/error.ts";
import { nearest } from "../contract/nearest.ts";
import { UUID } from "../contract/param.ts";
import { PAYMENT_GROUPS } from "../contract/payment.ts";
import { CONNECTOR_KINDS, type ConnectorKind, ownColumns } from "../contract/record.ts";
import type { Alert, CostRule, Integration, Organization } from "../contract/settings.ts";
import { CONNECTOR_NAMES, connectorNamed } from "../contract/vendor.ts";
import { exportedBy } from "../records/index.ts";
import { ALERTS, alertFaults } from "./alerts.ts";
import { COSTS, costFaults, dayFaults, EXPENSE_ITEMS } from "./costs.ts";

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
const above0 = { type: "number", exclusiveMinimum: 0, description: "a number above 0 is expected" };
const day = { type: "string", description: "a day such as 2024-02-29 is expected" };
const headings = {
  description: "a heading, or a list of headings, is expected",
  anyOf: [text, { type: "array", items: text, minItems: 1 }],
};
const stores = { type: "array", items: text, minItems: 1, description: "a list of ids of stores is expected" };
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
          connector: { enum: CONNECTOR_NAMES },
          name: text,
          userId: text,
          timezone: text,
          schedule: text,
          stores,
          columns: {
            type: "object",
            description: '{"orders": {"value": "Total"}} is expected',
            additionalProperties: {
              type: "object",
              additionalProperties: headings,
              description: '{"value": "Total"} is expected',
            },
          },
          numbers: { enum: ["pt-BR", "en"] },
          items: {
            type: "object",
            description: '{"Aluguel": "fixed"} is expected',
            additionalProperties: { enum: EXPENSE_ITEMS },
          },
          oneDayExpenses: {
            type: "object",
            description: '{"fixed": "month"} is expected',
            additionalProperties: false,
            properties: Object.fromEntries(EXPENSE_ITEMS.map((item) => [item, { enum: ["day", "month"] }])),
          },
          campaignsByName: { type: "boolean", description: "true or false is expected" },
          allOrdersPaid: { type: "boolean", description: "true or false is expected" },
          pull: {
            type: "object",
            description: '{"since": "2023-06-01", "account": {…}} is expected',
            additionalProperties: false,
            required: ["since"],
            properties: {
              since: { type: "string", description: "a day such as 2023-06-01 is expected" },
              account: {
                type: "object",
                description: "the vendor's names of the account are expected",
                additionalProperties: text,
              },
              records: { type: "array", items: text, minItems: 1, description: "a list of records is expected" },
              baseUrl: text,
              tokenUrl: text,
            },
          },
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
    costs: COSTS,
    campaigns: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["strategy"],
        properties: { strategy: { enum: ["acquisition", "brand", "monetization"] }, id: text, name: text },
      },
    },
    payments: {
      type: "array",
      description: '[{"name": "appmax*", "group": "credit_card"}] is expected',
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name", "group"],
        properties: { name: text, group: { enum: PAYMENT_GROUPS } },
      },
    },
    funnel: {
      type: "object",
      additionalProperties: false,
      required: ["interest", "decision"],
      properties: { interest: stage, decision: stage },
    },
    webhook: {
      type: "object",
      additionalProperties: false,
      required: ["url"],
      properties: { url: text },
    },
    pins: {
      type: "object",
      description: '{"monthly": 1 to 28} is expected',
      additionalProperties: false,
      required: ["monthly"],
      properties: {
        monthly: { type: "integer", minimum: 1, maximum: 28, description: "a day from 1 to 28 is expected" },
      },
    },
    targets: {
      type: "object",
      additionalProperties: false,
      properties: {
        cac: above0,
        ltvCacRatio: above0,
        margin: percent,
        revenue: above0,
        contribution3: above0,
        profit: above0,
      },
    },
    letters: {
      type: "array",
      maxItems: 200,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["on", "at", "channel"],
        properties: {
          to: text,
          on: { enum: ["daily", "weekly", "monthly"] },
          at: {
            type: "string",
            pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$",
            description: "a time such as 08:00 is expected",
          },
          language: { enum: LOCALES },
          channel: { enum: ["mail", "slack", "webhook"] },
        },
      },
    },
    locale: { type: "string", pattern: `^(${LOCALES.join("|")})$`, description: `${LOCALES.join(" or ")} is expected` },
    notes: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["from", "text"],
        properties: {
          from: day,
          until: day,
          text: {
            type: "string",
            minLength: 1,
            maxLength: 80,
            description: "a text of at most 80 characters is expected",
          },
          sale: { const: true, description: "true is expected" },
        },
      },
    },
    alerts: ALERTS,
  },
};

// Each start would check the schema itself, which a test does.
const fits = new Ajv({ allErrors: true, verbose: true, validateSchema: false }).compile<Organization>(SCHEMA);

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

/** The faults that a schema cannot express. What is not of the expected type is a fault of the schema, and left out. */
function rules(settings: unknown, id: string): string[] {
  if (!isObject(settings)) return [];
  const { organizationId } = settings;
  const stores = new Set(
    listOf(settings.integrations)
      .filter(isStore)
      .map(({ id }) => String(id).toLowerCase()),
  );
  const isOther = isText(organizationId) && organizationId.toLowerCase() !== id.toLowerCase();
  return [
    ...(isOther ? [`organizationId: the file's name says ${id}`] : []),
    ...integrationRules(listOf(settings.integrations)),
    ...listOf(settings.integrations).flatMap((one, n) => storesFaults(one, `integrations[${n}].stores`, stores)),
    ...listOf(settings.campaigns).flatMap((rule, n) =>
      isObject(rule) && "id" in rule === "name" in rule ? [`campaigns[${n}]: either id or name is expected`] : [],
    ),
    ...listOf(settings.costs).flatMap((rule, n) => (isObject(rule) ? costFaults(rule, `costs[${n}]`, stores) : [])),
    ...listOf(settings.notes).flatMap((note, n) => (isObject(note) ? dayFaults(note, `notes[${n}]`) : [])),
    ...alertFaults(listOf(settings.alerts), stores),
    ...letterRules(settings.letters, settings.webhook),
    ...webhookRules(settings.webhook),
  ];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isOfKind = (value: unknown, kind: ConnectorKind): boolean => {
  const connector = isObject(value) && isText(value.connector) ? connectorNamed(value.connector) : undefined;
  return connector !== undefined && CONNECTOR_KINDS[connector] === kind;
};
const isStore = (value: unknown): value is Readonly<Record<string, unknown>> => isOfKind(value, "store");
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whom letters reach: a person, the name of an address that is kept as a secret, or the organization's webhook. */
function letterRules(letters: unknown, webhook: unknown): string[] {
  const seen = new Set<string>();
  return listOf(letters).flatMap((letter, n): string[] => {
    if (!isObject(letter)) return [];
    const { to, on, channel } = letter;
    const place = `letters[${n}]`;
    const key = JSON.stringify([channel, isText(to) ? to.toLowerCase() : to, on]);
    if (seen.has(key)) return [`${place}: the same letter is there twice`];
    seen.add(key);
    if (channel === "webhook") {
      if (to !== undefined) return [`${place}.to: none is expected, the webhook of the organization gets it`];
      return isObject(webhook) ? [] : [`${place}.channel: the organization has no webhook`];
    }
    if (!isText(to)) return [`${place}.to: missing`];
    if (channel === "mail" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(to))
      return [`${place}.to: an e-mail address is expected`];
    // The address itself is a secret, which is kept elsewhere.
    return channel === "slack" && (/:\/\//.test(to) || to.length > 60)
      ? [`${place}.to: a name of at most 60 characters is expected; \`lucra letters slack\` keeps its address`]
      : [];
  });
}

/** A fault does not repeat the address: it may contain a token of its receiver. */
function webhookRules(webhook: unknown): string[] {
  if (!isObject(webhook) || !isText(webhook.url)) return [];
  const url = URL.canParse(webhook.url) ? new URL(webhook.url) : undefined;
  if (!url || !["https:", "http:"].includes(url.protocol)) return ["webhook.url: an https address is expected"];
  return url.username || url.password ? ["webhook.url: an address without user and password is expected"] : [];
}

function integrationRules(integrations: readonly unknown[]): string[] {
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const [n, integration] of integrations.entries()) {
    if (!isObject(integration)) continue;
    const { id, timezone, schedule } = integration;
    const place = `integrations[${n}]`;
    if (isText(id)) {
      if (seen.has(id.toLowerCase())) wrong.push(`${place}.id: ${id} is there twice`);
      seen.add(id.toLowerCase());
    }
    if (isText(timezone) && !isTimezone(timezone)) {
      const guess = nearest(timezone, Intl.supportedValuesOf("timeZone"));
      wrong.push(
        `${place}.timezone: "${timezone}" is no known timezone, ` +
          (guess ? `did you mean ${guess}?` : "such as America/Sao_Paulo"),
      );
    }
    if (isText(schedule) && !isSchedule(schedule)) {
      wrong.push(`${place}.schedule: "${schedule}" is no cron expression, such as */30 * * * *`);
    }
    wrong.push(
      ...columnFaults(integration, `${place}.columns`),
      ...further.flatMap((rule) => rule(integration, place)),
    );
  }
  return wrong;
}

/** What is wrong with the stores whose spend an ad account has [D86]. */
function storesFaults(integration: unknown, place: string, known: ReadonlySet<string>): string[] {
  if (!isObject(integration) || integration.stores === undefined) return [];
  if (!isOfKind(integration, "ads")) return [`${place}: only an ad account has the spend of stores`];
  const ids = listOf(integration.stores).filter(isText);
  return ids.flatMap((id, n) => {
    const one = id.toLowerCase();
    if (!known.has(one)) return [`${place}[${n}]: ${id} is no store of these settings`];
    const isTwice = ids.slice(0, n).some((other) => other.toLowerCase() === one);
    return isTwice ? [`${place}[${n}]: ${id} is there twice`] : [];
  });
}

/** Returns what is wrong with the settings of an integration, each with its place. */
type IntegrationRule = (integration: Readonly<Record<string, unknown>>, place: string) => readonly string[];

const further: IntegrationRule[] = [];

/** Features check the settings that they add. */
export const addIntegrationRule = (rule: IntegrationRule): void => void further.push(rule);

/** Mapped columns must be those of a record of the connector. */
function columnFaults({ connector, columns }: Readonly<Record<string, unknown>>, place: string): string[] {
  const of = isText(connector) ? connectorNamed(connector) : undefined;
  if (!of || !isObject(columns)) return [];
  const records = exportedBy(of);
  return Object.entries(columns).flatMap(([name, fields]) => {
    const record = records.find((one) => one.name === name);
    if (!record)
      return [
        unknown(
          `${place}.${name}`,
          name,
          records.map((one) => one.name),
          "no record of the connector",
        ),
      ];
    const known = ownColumns(record);
    return Object.keys(isObject(fields) ? fields : {})
      .filter((field) => !known.includes(field))
      .map((field) => unknown(`${place}.${name}.${field}`, field, known, "no column of the record"));
  });
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
  const ofSchema = fits(settings)
    ? []
    : (fits.errors ?? []).filter(({ schemaPath }) => !/\/anyOf\/\d/.test(schemaPath));
  const faults = [...ofSchema.map(faultText), ...rules(settings, id)];
  return faults.length > 0 ? { faults } : { settings: inOneSpelling(settings as Organization), faults };
}

/** UUIDs in lower case and connectors by their own names, so that folders and answers have one spelling. */
function inOneSpelling(settings: Organization): Organization {
  const { organizationId, integrations, costs, alerts } = settings;
  const spelled = integrations?.map(
    (one): Integration => ({
      ...one,
      id: one.id.toLowerCase(),
      connector: connectorNamed(one.connector) ?? one.connector,
      ...(one.stores ? { stores: one.stores.map((store) => store.toLowerCase()) } : {}),
    }),
  );
  return {
    ...settings,
    organizationId: organizationId.toLowerCase(),
    ...(spelled ? { integrations: spelled } : {}),
    ...(costs ? { costs: costs.map(ofStoreInLowerCase) } : {}),
    ...(alerts ? { alerts: alerts.map(alertInLowerCase) } : {}),
  };
}

const ofStoreInLowerCase = (rule: CostRule): CostRule =>
  rule.where?.integrationId === undefined
    ? rule
    : { ...rule, where: { ...rule.where, integrationId: rule.where.integrationId.toLowerCase() } };

const alertInLowerCase = (alert: Alert): Alert =>
  "integrationId" in alert && alert.integrationId !== undefined
    ? { ...alert, integrationId: alert.integrationId.toLowerCase() }
    : alert;

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
