import { type QualityEndpoint, ROOT } from "../contract/endpoint.ts";
import { array, choice, count, currency, day, instant, object, orNull, text } from "../contract/field.ts";
import { organizationId } from "../contract/param.ts";
import { QUALITY_KINDS, QUALITY_SQL } from "../contract/quality.ts";
import { CONNECTORS } from "../contract/record.ts";

const UNDERIVED = "nothing is derived yet";

/** Findings of `doctor` about the data of one organization, for those who read its figures. */
export const dataQuality: QualityEndpoint = {
  by: "quality",
  path: "/v1/data-quality",
  summary:
    "What has landed of each integration, what was rejected and why, and what should be known about the figures: the findings of `lucra doctor` about the organization's data, without those about the machine, the webhook and the credentials. Checksums of files are not compared.",
  params: { organizationId },
  unknown: "refused",
  cacheSeconds: 60,
  files: ["doctor/overview", "doctor/freshness", ...QUALITY_SQL],
  parts: {
    [ROOT]: {
      rows: "one",
      fields: {
        examinedAt: instant("When the files were looked at."),
        currency: orNull(text("The currency of the amounts."), `there are no orders, or ${UNDERIVED}`),
        orders: orNull(count("Orders that count."), UNDERIVED),
        revenue: orNull(currency("Their revenue.", "Σ value of the orders"), UNDERIVED),
        firstDay: orNull(day("The first day with an order that counts."), `there is none, or ${UNDERIVED}`),
        lastDay: orNull(day("The last day with data."), `there is none, or ${UNDERIVED}`),
        integrations: array(
          {
            integrationId: text("The connected account."),
            name: text("Its name, or its id without one."),
            connector: choice(CONNECTORS, "What it is connected to."),
            schedule: orNull(text("When it is synchronized, as a cron expression."), "it is synchronized by hand"),
            lastLandedAt: orNull(instant("When it last landed a file."), "it never landed one"),
            lastSync: orNull(
              object(
                {
                  endedAt: instant("When it ended."),
                  outcome: choice(
                    ["ok", "rejected", "refused", "failed"],
                    "The worst of: everything landed, rows were rejected, files were refused, something failed.",
                  ),
                  reason: orNull(text("What was refused or failed, in one line."), "there is nothing to add"),
                },
                "Its last sync.",
              ),
              "it was never synchronized",
            ),
            records: array(
              {
                record: text("The kind of rows."),
                lastLandedAt: orNull(instant("When a file of it last landed."), "none ever did"),
                newestDay: orNull(day("The last day that its rows have."), `its rows have no day, or ${UNDERIVED}`),
                files: count("Export files that have landed."),
                waiting: count("Export files that have not landed yet."),
                rows: orNull(count("Rows in force."), UNDERIVED),
                rejected: count("Rows that were rejected."),
              },
              "Its kinds of rows.",
            ),
          },
          "The integrations, in the order of the settings.",
        ),
        rejects: array(
          {
            integrationId: text("The connected account."),
            record: text("The kind of rows."),
            reason: text("Why the rows were rejected."),
            rows: count("Rows."),
            file: text("A file with such a row."),
            position: orNull(
              count("The row in that file, from 1."),
              "the list of rejected rows was too long to keep it",
            ),
          },
          "Rejected rows by reason, in the order of the integrations; of each kind of rows the ten most frequent reasons.",
        ),
        findings: array(
          {
            kind: choice(QUALITY_KINDS, "What it is; docs/doctor.md explains each kind."),
            level: choice(
              ["wrong", "notice"],
              "`wrong`: figures are incomplete or false until it is repaired. `notice`: something to know.",
            ),
            title: text("The same in words."),
            count: count("How many there are."),
            orders: orNull(count("Orders of all of them."), "it is not about orders"),
            revenue: orNull(currency("Revenue of all of them."), "it is not about revenue"),
            spend: orNull(currency("Spend of all of them."), "it is not about spend"),
            examples: array(
              {
                integration: orNull(text("The integration's name."), "it is about no single one"),
                what: orNull(
                  text("What it is about: a campaign, a product, a status, a column, a record."),
                  "nothing else is known",
                ),
                reason: orNull(text("Why."), "the kind says it"),
                count: orNull(count("Orders, rows, files or days."), "it is not counted"),
                revenue: orNull(currency("Revenue."), "it is not about revenue"),
                spend: orNull(currency("Spend."), "it is not about spend"),
              },
              "The first of them, at most five.",
            ),
          },
          "The findings, those that are wrong first.",
        ),
      },
    },
  },
};
