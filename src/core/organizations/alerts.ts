import { ALERT_FIGURES, BUILT_IN_ALERTS } from "../contract/settings.ts";

const text = { type: "string", minLength: 1, description: "a text is expected" };
const always = { const: true, description: "true is expected" };

/** The shape of `alerts` in the settings [D96]. */
export const ALERTS = {
  type: "array",
  maxItems: 50,
  description: "a list of at most 50 alerts is expected",
  items: {
    type: "object",
    additionalProperties: false,
    properties: {
      name: { type: "string", minLength: 1, maxLength: 80, description: "a text of at most 80 characters is expected" },
      figure: { enum: ALERT_FIGURES },
      channel: text,
      campaignId: text,
      integrationId: text,
      rule: { enum: ["above", "below", "change"] },
      value: { type: "number", description: "a number is expected" },
      over: { enum: ["day", "week"] },
      atOnce: always,
      builtIn: { enum: BUILT_IN_ALERTS },
      off: always,
    },
  },
};

/** Settings whose shape has not been checked. */
type Unchecked = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Unchecked =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const NEEDED = ["name", "figure", "rule", "value", "over"] as const;
const SCOPES = ["channel", "campaignId", "integrationId"] as const;

/** Figures that are of no store: nobody knows to which one an ad, or a first order's customer, belongs. */
const OF_NO_STORE = ["contribution3", "newCustomers", "investment", "cac"];

/** The faults of alerts that a schema cannot express, each with its place. `stores`: their ids, in lower case. */
export function alertFaults(alerts: readonly unknown[], stores: ReadonlySet<string>): string[] {
  const names = new Set<string>();
  return alerts.flatMap((alert, n) => {
    if (!isObject(alert)) return [];
    const place = `alerts[${n}]`;
    const key = "builtIn" in alert ? "builtIn" : "name";
    const name = `${key} ${alert[key]}`;
    const isTwice = typeof alert[key] === "string" && names.has(name);
    names.add(name);
    return [
      ...(isTwice ? [`${place}.${key}: ${alert[key]} is there twice`] : []),
      ...("builtIn" in alert ? builtInFaults(alert, place) : ruleFaults(alert, place, stores)),
    ];
  });
}

/** [D228] */
const builtInFaults = (alert: Unchecked, place: string): string[] =>
  [...NEEDED, ...SCOPES]
    .filter((name) => name in alert)
    .map((name) => `${place}.${name}: a built-in alert has its own, remove it or builtIn`);

function ruleFaults(alert: Unchecked, place: string, stores: ReadonlySet<string>): string[] {
  const missing = NEEDED.filter((name) => !(name in alert)).map((name) => `${place}.${name}: missing`);
  const off = "off" in alert ? [`${place}.off: of a built-in alert only, remove this alert instead`] : [];
  const scopes = SCOPES.filter((name) => name in alert);
  const many = scopes.length > 1 ? [`${place}: one of ${scopes.join(", ")} is expected`] : [];
  const { rule, value, figure, integrationId } = alert;
  const zero =
    rule === "change" && value === 0
      ? [`${place}.value: the percent of a change is expected, below 0 for a fall, above 0 for a rise`]
      : [];
  return [...missing, ...off, ...many, ...zero, ...storeFaults(figure, integrationId, place, stores)];
}

function storeFaults(figure: unknown, store: unknown, place: string, stores: ReadonlySet<string>): string[] {
  if (typeof store !== "string") return [];
  if (!stores.has(store.toLowerCase())) return [`${place}.integrationId: ${store} is no store of these settings`];
  return OF_NO_STORE.includes(String(figure))
    ? [`${place}.figure: ${figure} is of no store, remove integrationId or choose another figure`]
    : [];
}
