import { LOCALES } from "../contract/dialect.ts";

const text = { type: "string", minLength: 1, description: "a text is expected" };
const CHANNELS = ["mail", "slack", "webhook"] as const;

/** The shape of `letters` in the settings [D95]. */
export const LETTERS = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["on", "at", "channel"],
    properties: {
      to: text,
      on: { enum: ["daily", "weekly", "monthly"] },
      at: { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description: "a time such as 08:00 is expected" },
      language: { enum: LOCALES },
      channel: { enum: CHANNELS },
    },
  },
};

const FIGURES = [
  "revenue",
  "netRevenue",
  "contribution1",
  "contribution2",
  "contribution3",
  "orders",
  "newCustomers",
  "investment",
  "cac",
] as const;

/** The shape of `alerts` in the settings [D96]. */
export const ALERTS = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["name", "figure", "rule", "value", "over"],
    properties: {
      name: text,
      figure: { enum: FIGURES },
      channel: text,
      campaignId: text,
      integrationId: text,
      rule: { enum: ["above", "below", "change"] },
      value: { type: "number", description: "a number is expected" },
      over: { enum: ["day", "week"] },
      atOnce: { const: true, description: "true is expected" },
    },
  },
};

type Unchecked = Readonly<Record<string, unknown>>;

/** The faults of a letter that its shape cannot express. */
export const letterFaults = ({ channel, to }: Unchecked, place: string): string[] =>
  channel === "mail" && to === undefined ? [`${place}.to: the address of a person is expected`] : [];

/** What an alert may be about: one of these. */
const ABOUT = ["channel", "campaignId", "integrationId"] as const;

/** The faults of an alert that its shape cannot express. `stores`: their ids, in lower case. */
export function alertFaults(alert: Unchecked, place: string, stores: ReadonlySet<string>): string[] {
  const about = ABOUT.filter((name) => alert[name] !== undefined);
  const { integrationId } = alert;
  const isStore = typeof integrationId !== "string" || stores.has(integrationId.toLowerCase());
  return [
    ...(about.length > 1 ? [`${place}: one of ${about.join(", ")} is expected`] : []),
    ...(isStore ? [] : [`${place}.integrationId: ${integrationId} is no store of these settings`]),
  ];
}
