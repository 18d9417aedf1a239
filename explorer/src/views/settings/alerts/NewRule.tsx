import { useState } from "preact/hooks";
import { organization, STORES } from "../../../session.ts";
import { said, t } from "../../../text.ts";
import { alerts as ALERTS } from "../../../words/later/alerts.ts";
import { numberIn } from "../exact.ts";
import { SelectField, TextField, Tick } from "../fields.tsx";
import { Replay } from "./Replay.tsx";
import { FIGURES, type Kind, limitOf, type Rule } from "./rule.ts";

const KINDS: readonly Kind[] = ["fall", "rise", "above", "below"];

/** A rule as it is typed, and what it would have said: only then it can be added. */
export function NewRule({ names, add }: { names: readonly string[]; add: (rule: Rule) => void }) {
  const words = said(ALERTS);
  const [name, setName] = useState("");
  const [figure, setFigure] = useState("revenue");
  const [scope, setScope] = useState("all");
  const [campaignId, setCampaignId] = useState("");
  const [kind, setKind] = useState<Kind>("fall");
  const [limit, setLimit] = useState("40");
  const [over, setOver] = useState<Rule["over"]>("day");
  const [atOnce, setAtOnce] = useState(false);
  const [tried, setTried] = useState<Rule | undefined>();
  const [fault, setFault] = useState<string | undefined>();
  const isPercent = kind === "fall" || kind === "rise";
  /** What was tried is no longer what is typed. */
  const typed =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      setTried(undefined);
    };
  const rule = (): Rule | undefined => {
    const value = numberIn(limit);
    const [what = "", key = ""] = scope.split(/:(.*)/s);
    if (name.trim() === "" || value === undefined || value <= 0 || (what === "campaign" && campaignId.trim() === ""))
      return undefined;
    return {
      name: name.trim(),
      figure,
      ...(what === "channel" ? { channel: key } : {}),
      ...(what === "campaign" ? { campaignId: campaignId.trim() } : {}),
      ...(what === "store" ? { integrationId: key } : {}),
      ...limitOf(kind, value),
      over,
      ...(atOnce ? { atOnce: true as const } : {}),
    };
  };
  const tryIt = (event: Event): void => {
    event.preventDefault();
    const found = rule();
    const isTwice = found !== undefined && names.includes(found.name);
    setFault(found === undefined ? words.needed : isTwice ? words.twice : undefined);
    setTried(isTwice ? undefined : found);
  };
  return (
    <form class="setting-form" onSubmit={tryIt} data-form="alert">
      <h4>{words.add}</h4>
      <div class="setting-pair">
        <TextField label={words.name} value={name} change={typed(setName)} max={80} error={fault} />
        <SelectField
          label={words.figure}
          value={figure}
          change={(value) => {
            typed(setFigure)(value);
            if (scope.startsWith("store:") && !FIGURES[value]?.ofStores) setScope("all");
          }}
          options={Object.keys(FIGURES).map((one) => [one, words.figures[one] ?? one] as const)}
        />
        <SelectField label={words.of} value={scope} change={typed(setScope)} options={scopesOf(figure)} />
        {scope === "campaign" && (
          <TextField label={words.campaignId} value={campaignId} change={typed(setCampaignId)} max={512} />
        )}
        <SelectField
          label={words.rule}
          value={kind}
          change={typed(setKind)}
          options={KINDS.map((one) => [one, words.kinds[one]] as const)}
        />
        <TextField
          label={words.value}
          value={limit}
          change={typed(setLimit)}
          isNumber
          unit={isPercent ? "%" : undefined}
        />
        <SelectField
          label={words.over}
          value={over}
          change={typed(setOver)}
          options={[
            ["day", words.day],
            ["week", words.week],
          ]}
        />
      </div>
      <Tick label={words.atOnce} checked={atOnce} change={typed(setAtOnce)} />
      <div class="settings-actions">
        <button type="submit">{words.try}</button>
      </div>
      {tried && (
        <>
          <Replay alert={tried} name={tried.name} />
          <div class="settings-actions">
            <button
              type="button"
              class="primary"
              onClick={() => {
                add(tried);
                setTried(undefined);
                setName("");
              }}
            >
              {words.addNow}
            </button>
          </div>
        </>
      )}
    </form>
  );
}

/** What a figure can be of. */
function scopesOf(figure: string): readonly (readonly [string, string])[] {
  const words = said(ALERTS);
  const stores = (organization.value?.connectors ?? []).filter(({ connector }) => STORES.includes(connector));
  return [
    ["all", words.everything],
    ...Object.entries(t().channels).map(([key, text]) => [`channel:${key}`, text] as const),
    ["campaign", words.campaign],
    ...(FIGURES[figure]?.ofStores ? stores.map((one) => [`store:${one.integrationId}`, one.name] as const) : []),
  ];
}
