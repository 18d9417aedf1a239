/** The sections of the settings that the page shows. */
export const SECTIONS = [
  "organization",
  "margin",
  "costs",
  "campaigns",
  "payments",
  "funnel",
  "targets",
  "notes",
  "alerts",
  "pins",
  "letters",
  "webhook",
] as const;
export type Section = (typeof SECTIONS)[number];

/** The members of the section `organization`. */
export const OF_ORGANIZATION = ["name", "locale", "currency"] as const;
