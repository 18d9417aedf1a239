import { figure } from "../../../format.ts";
import { organization, STORES } from "../../../session.ts";
import { said, t } from "../../../text.ts";
import { alerts as ALERTS } from "../../../words/later/alerts.ts";
import { FIGURES, type Kind, type Rule } from "./rule.ts";

function kindOf({ rule, value }: Rule): Kind {
  if (rule === "above" || rule === "below") return rule;
  return value < 0 ? "fall" : "rise";
}

/** A rule as a sentence. */
export function Sentence({ rule }: { rule: Rule }) {
  const words = said(ALERTS);
  const unit = FIGURES[rule.figure]?.unit ?? "number";
  const limit = rule.rule === "change" ? figure(Math.abs(rule.value), "percent") : figure(rule.value, unit);
  return (
    <>
      <strong>{rule.name}</strong>{" "}
      {words.sentence(
        words.figures[rule.figure] ?? rule.figure,
        scopeName(rule),
        words.limits[kindOf(rule)](limit),
        words[rule.over],
      )}{" "}
      {rule.atOnce && <span class="chip">{words.atOnceShort}</span>}
    </>
  );
}

function scopeName({ channel, campaignId, integrationId }: Rule): string {
  const words = said(ALERTS);
  const channels: Readonly<Record<string, string>> = t().channels;
  if (channel !== undefined) return channels[channel] ?? channel;
  if (campaignId !== undefined) return `${words.campaign} (${campaignId})`;
  if (integrationId === undefined) return words.everything;
  const store = organization.value?.connectors.find(
    (one) => one.integrationId === integrationId && STORES.includes(one.connector),
  );
  return store?.name ?? integrationId;
}
