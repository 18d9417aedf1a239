import type { OrganizationsEndpoint } from "../contract/endpoint.ts";
import { array, choice, day, instant, orNull, text } from "../contract/field.ts";
import { CONNECTORS } from "../contract/record.ts";

const NOT_DERIVED = "`state` is `preparing`";

/** The organizations that the credentials may read [D58]. */
export const organizations: OrganizationsEndpoint = {
  shape: "organizations",
  path: "/v1/organizations",
  summary:
    "The organizations that the credentials may read, in the order of their names: what their data cover, and how fresh they are. The only endpoint without `organizationId`.",
  params: {},
  unknown: "refused",
  cacheSeconds: 1800,
  sql: "organizations/organization",
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
};
