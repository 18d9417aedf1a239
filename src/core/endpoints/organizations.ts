import { LOCALES } from "../contract/dialect.ts";
import type { AnswerPart, OrganizationsEndpoint } from "../contract/endpoint.ts";
import {
  array,
  choice,
  currency,
  day,
  type Field,
  type Fields,
  flag,
  instant,
  object,
  orNull,
  percent,
  ratio,
  text,
} from "../contract/field.ts";
import { CONNECTORS } from "../contract/record.ts";

const NOT_DERIVED = "`state` is `preparing`";

const target = (figure: Field): Field => orNull(figure, "the settings have none");

/** Fields from the settings of an organization, and whether its data can be read. */
const ORGANIZATION: Fields = {
  id: text("The organization, as `organizationId` names it."),
  name: text("Its name."),
  state: choice(
    ["ready", "preparing"],
    "`preparing`: its data are being derived, or repaired, and what is read from them is null.",
  ),
  targets: object(
    {
      cac: target(currency("The most that a new customer should cost, as `cac` of the cards.")),
      ltvCacRatio: target(ratio("The least `ltvCacRatio` of the cards.")),
      margin: target(percent("The least `marginPercent`.")),
      revenue: target(currency("The least revenue of a calendar month.")),
      contribution3: target(currency("The least `contribution3` of a calendar month.")),
      profit: target(currency("The least `profit` of a calendar month.")),
    },
    "The targets of its settings. No figure depends on them.",
  ),
  locale: choice(LOCALES, "The language of its settings; `pt-BR` if they have none."),
  notes: array(
    {
      from: day("The first day."),
      until: orNull(day("The last day."), "the note is of one day"),
      text: text("What happened."),
      sale: flag("Whether the settings call it a sale."),
    },
    "Notes on days, in the order of the settings. No figure depends on them.",
  ),
};

/** The fields that are read of one organization. */
const entry = {
  sql: "organizations/organization",
  rows: "one" as const,
  required: true as const,
  fields: {
    currency: orNull(text("The currency of its amounts, such as `BRL`."), "the settings have none"),
    timezones: { unit: "texts", description: "The time zones that date the orders of its stores." },
    firstDay: orNull(day("The first day with a counted order or spend."), `there is no such day, or ${NOT_DERIVED}`),
    lastDay: orNull(day("The last day with a counted order or spend."), `there is no such day, or ${NOT_DERIVED}`),
    asOf: orNull(
      instant("The oldest of the last landings of its stores and ad accounts, as in the answers of the analyses."),
      `one of them never landed a file, or ${NOT_DERIVED}`,
    ),
    connectors: array(
      {
        integrationId: text("The connected account."),
        connector: choice(CONNECTORS, "What it is connected to."),
        name: orNull(text("Its name."), "the settings have none"),
        timezone: text("Its time zone; `UTC` if the settings have none."),
        newestDay: orNull(
          day("The last day that its landed rows have."),
          `it has no rows, or none with a day, or ${NOT_DERIVED}`,
        ),
        lastLandedAt: orNull(instant("When it last landed a file."), `it never landed a file, or ${NOT_DERIVED}`),
      },
      "Its connected accounts, in the order of the settings.",
    ),
  },
} satisfies AnswerPart;

/** The organizations that the credentials may read [D58]. */
export const organizations: OrganizationsEndpoint = {
  by: "organizations",
  path: "/v1/organizations",
  summary:
    "The organizations that the credentials may read, in the order of their names: what their data cover, and how fresh they are. The only endpoint without `organizationId`.",
  params: {},
  unknown: "refused",
  cacheSeconds: 1800,
  entry,
  parts: {
    data: {
      sql: entry.sql,
      rows: "many",
      description: "The organizations, by name.",
      fields: { ...ORGANIZATION, ...entry.fields },
    },
  },
};
