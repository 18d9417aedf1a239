import { type ExplainEndpoint, ROOT } from "../contract/endpoint.ts";
import { array, count, currency, day, instant, number, object, orNull, text } from "../contract/field.ts";
import { organizationId } from "../contract/param.ts";

/** The explanation of any figure of these endpoints [D56]. */
export const explain = (of: ExplainEndpoint["of"]): ExplainEndpoint => ({
  by: "explain",
  path: "/v1/explain",
  summary:
    "How a figure of another endpoint came about: its formula and the figures that this names, the SQL that ran, the rules that it follows, the orders that it is computed from, and where they came from. The other parameters are those of that endpoint.",
  params: {
    organizationId,
    endpoint: {
      kind: "text",
      required: true,
      maxLength: 1024,
      description:
        "The path of an analysis or of an endpoint of products, such as `/v1/profitability/cards`. A product's id in the path may be percent-encoded.",
    },
    figure: {
      kind: "text",
      required: true,
      maxLength: 256,
      description:
        "The path of a number in that answer, such as `cac`, `previousPeriod.ltv` or `months.3.absolute`; elements of a list by their position from 0.",
    },
    row: {
      kind: "text",
      keepsEmpty: true,
      maxLength: 512,
      description:
        "The row of a table that the figure is in, by its key: a day, a month (`2025-02`; quarters and years by their first month), a channel, a campaign, a product. With `breakBy` the value follows after a colon (`2025-01:searchads`; nothing for null). Where several rows have the same key, their connector or integration follows after another colon.",
    },
  },
  unknown: "refused",
  cacheSeconds: 1800,
  of,
  parts: {
    [ROOT]: {
      rows: "one",
      fields: {
        endpoint: text("The explained endpoint."),
        parameters: {
          unit: "values",
          description: "Its parameters as they were understood, defaults included; null if not sent.",
        },
        figure: text("The figure."),
        row: orNull(text("The row."), "it was not sent"),
        value: orNull(
          number("What that endpoint answers.", "as `formula` says"),
          "the figure is; `isNullBecause` says why",
        ),
        unit: orNull(text("Its unit."), "the figure is an object that is null"),
        description: text("Its meaning."),
        formula: orNull(text("How it is computed, from other figures of the answer or from rows."), "it has none"),
        nullWhen: text("When it is null, or `never`."),
        isNullBecause: { ...text("Why it is null."), presentWhen: "`value` is null" },
        inputs: array(
          {
            figure: text("The figure, as a path in the row or, if the row does not have it, in the answer."),
            value: orNull(number("What the endpoint answers.", "as that figure's formula says"), "the figure is"),
          },
          "The figures that the formula names.",
        ),
        sql: array(
          { file: text("Its path in the project."), text: text("Its content.") },
          "The SQL file that ran; then the files of the macros and relations that it uses, directly or not.",
        ),
        decisions: { unit: "texts", description: "The ids of the rules that these files and the declaration cite." },
        rows: object(
          {
            ordersUsed: count(
              "Orders that the figure is computed from; for figures of products sales, which are orders that were invoiced.",
              "number of these orders; 0 where orders play no part",
            ),
            ordersLeftOut: array(
              {
                reason: text("Why they do not count: `cancelled`, `replaced`, `test` or `unpaid`."),
                orders: count("Their number.", "number of these orders"),
                value: currency("Their value.", "Σ value of these orders"),
              },
              "The orders that would be among them if they counted, by reason. An order that does not count has no customer: figures of customers' orders leave none out.",
            ),
            spendRows: count(
              "Rows of media spend that the figure is computed from.",
              "number of campaigns and days with a record; 0 where spend plays no part",
            ),
          },
          "The rows that the figure is computed from.",
        ),
        orders: orNull(
          text("The address of the pages with exactly these orders."),
          "orders play no part, or the parameters of that endpoint cannot select exactly these",
        ),
        sources: array(
          {
            integrationId: text("The integration."),
            record: text("The record."),
            files: count("Exports that landed.", "number of exports"),
            rows: count("Rows in force.", "number of rows, the latest version of each"),
            newestDay: orNull(day("Their last day (UTC)."), "the record has no day"),
            lastLandedAt: orNull(instant("When the last export landed."), "it is not known"),
          },
          "The landed records that the figure is made of.",
        ),
        asOf: orNull(instant("`asOf` of the answer."), "nothing has landed"),
      },
    },
  },
});
