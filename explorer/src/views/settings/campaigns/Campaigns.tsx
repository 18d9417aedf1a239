import { useState } from "preact/hooks";
import { EmptySmall } from "../../../components/EmptySmall.tsx";
import { day, figure, hero } from "../../../format.ts";
import { ofOrganization } from "../../../platform/request.ts";
import { useResource } from "../../../platform/use.ts";
import { said } from "../../../text.ts";
import { campaigns as CAMPAIGNS } from "../../../words/later/campaigns.ts";
import { useDraft } from "../draft.ts";
import { Failed } from "../failed.tsx";
import { Choice, Part, SelectField, TextField } from "../fields.tsx";
import { mergedList } from "../merged.ts";
import { SaveBar } from "../SaveBar.tsx";
import { VENDORS } from "../vendors.ts";
import {
  type Campaign,
  CLASSES,
  type Class,
  classed,
  decidingRule,
  fits,
  nameOf,
  type Rule,
  sharedText,
} from "./rules.ts";

/** So many of those that have a class are shown at first. */
const FIRST = 15;

/** What each campaign with spend is for: by click, with the rule that will class its like from now on. */
export function Campaigns() {
  const words = said(CAMPAIGNS);
  const draft = useDraft<readonly Rule[]>("campaigns", { empty: [], merged: mergedList });
  const { data, failure, reload } = useResource<{ data: readonly Campaign[] }>(ofOrganization("campaigns"));
  const [isOpen, setOpen] = useState(false);
  const found = draft.failure && !draft.base ? draft.failure : data ? undefined : failure;
  if (found) return <Failed failure={found} retry={() => void Promise.all([draft.reload(), reload()])} />;
  if (!draft.now || !draft.base || !data) return <p class="skeleton skeleton-large" />;
  const { now: rules, base } = draft;
  const all = data.data;
  // Where a campaign stands does not change while it is classed: the next click would hit another one.
  const hadClass = (one: Campaign): boolean => decidingRule(base, one) >= 0;
  const groups = [all.filter((one) => !hadClass(one)), all.filter(hadClass)] as const;
  const row = (campaign: Campaign) => (
    <CampaignRow
      key={`${campaign.connector} ${campaign.campaignId} ${campaign.campaignName}`}
      campaign={campaign}
      all={all}
      base={base}
      rules={rules}
      change={draft.change}
    />
  );
  return (
    <>
      <Part name="campaigns" title={words.list} lead={words.listLead}>
        {all.length === 0 && <EmptySmall>{words.none}</EmptySmall>}
        {groups[0].length > 0 && <h4>{words.toClass(figure(groups[0].length, "count"))}</h4>}
        <ul class="setting-rows campaigns">{groups[0].map(row)}</ul>
        {groups[1].length > 0 && <h4>{words.classed(figure(groups[1].length, "count"))}</h4>}
        <ul class="setting-rows campaigns">{(isOpen ? groups[1] : groups[1].slice(0, FIRST)).map(row)}</ul>
        {!isOpen && groups[1].length > FIRST && (
          <button type="button" class="link" onClick={() => setOpen(true)}>
            {words.showAll(figure(groups[1].length, "count"))}
          </button>
        )}
      </Part>
      <Rules rules={rules} all={all} change={draft.change} />
      <SaveBar
        hasEffect
        sections={[
          {
            name: "campaigns",
            draft,
            describe: (theirs) => (
              <ol>
                {(theirs as readonly Rule[]).map((rule, at) => (
                  <li key={at}>
                    {ruleText(rule, all)}: {words.classes[rule.strategy]}
                  </li>
                ))}
              </ol>
            ),
          },
        ]}
      />
    </>
  );
}

interface RowProps {
  readonly campaign: Campaign;
  readonly all: readonly Campaign[];
  readonly base: readonly Rule[];
  readonly rules: readonly Rule[];
  readonly change: (rules: readonly Rule[]) => void;
}

function CampaignRow({ campaign, all, base, rules, change }: RowProps) {
  const words = said(CAMPAIGNS);
  const deciding = rules[decidingRule(rules, campaign)];
  const isNew = deciding !== undefined && !base.includes(deciding);
  const name = nameOf(campaign);
  const choose = (strategy: Class): void => {
    if (deciding?.strategy === strategy) return;
    const own: Rule = campaign.campaignId === null ? { strategy, name } : { strategy, id: campaign.campaignId };
    // A rule by name that was made here keeps its text.
    if (isNew && deciding) change(rules.map((rule) => (rule === deciding ? { ...rule, strategy } : rule)));
    else change(classed(rules, campaign, own));
  };
  return (
    <li data-campaign={name}>
      <div>
        <strong class="upload-name">{name}</strong>
        <p class="muted">
          {VENDORS[campaign.connector]} · {words.spent(hero(campaign.spend, "currency"), day(campaign.lastDay))}
        </p>
        {deciding && !isNew && <p class="muted">{words.decidedBy(ruleText(deciding, all))}</p>}
        {deciding && isNew && (
          <NewRule campaign={campaign} all={all} base={base} rules={rules} rule={deciding} change={change} />
        )}
      </div>
      <fieldset class="segmented classes">
        <legend class="unseen">{words.classOf(name)}</legend>
        {CLASSES.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={deciding?.strategy === one}
            title={words.means[one]}
            onClick={() => choose(one)}
          >
            {words.classes[one]}
          </button>
        ))}
      </fieldset>
    </li>
  );
}

/** The rule that a click made: for this campaign alone, or for its like too. */
function NewRule({ campaign, all, base, rules, rule, change }: RowProps & { readonly rule: Rule }) {
  const words = said(CAMPAIGNS);
  const isByName = !("id" in rule);
  const text = isByName ? rule.name.replaceAll("*", "") : sharedText(campaign, all, base);
  const like = all.filter((one) => fits(`*${text}*`, nameOf(one)));
  const put = (next: Rule): void => change(rules.map((one) => (one === rule ? next : one)));
  const byName = (typed: string): void => put({ strategy: rule.strategy, name: `*${typed.replaceAll("*", "")}*` });
  if (campaign.campaignId === null) return null;
  return (
    <div class="new-rule">
      <Choice
        legend={words.newRule}
        value={isByName ? "like" : "this"}
        options={[
          ["this", words.onlyThis],
          ["like", words.likeThis(figure(like.length, "count"))],
        ]}
        change={(kind) =>
          kind === "like" ? byName(text) : put({ strategy: rule.strategy, id: campaign.campaignId as string })
        }
      />
      {isByName && (
        <TextField
          label={words.pattern}
          value={text}
          change={(typed) => (fits(`*${typed}*`, nameOf(campaign)) && typed.trim() !== "" ? byName(typed) : undefined)}
          hint={words.matches(like.slice(0, 5).map(nameOf).join(", ") + (like.length > 5 ? "…" : ""))}
        />
      )}
    </div>
  );
}

/** Which campaigns a rule is for, in words. */
export function ruleText(rule: Rule, all: readonly Campaign[]): string {
  const words = said(CAMPAIGNS);
  if ("id" in rule) {
    const found = all.find(({ campaignId }) => campaignId === rule.id);
    return words.one(found ? nameOf(found) : rule.id);
  }
  const bare = rule.name.replaceAll(/^\*+|\*+$/g, "");
  if (bare === "") return words.all;
  const [begins, ends] = [!rule.name.startsWith("*"), !rule.name.endsWith("*")];
  if (bare.includes("*") || (begins && ends)) return words.named(rule.name);
  return begins ? words.begins(bare) : ends ? words.ends(bare) : words.contains(bare);
}

function Rules({ rules, all, change }: Pick<RowProps, "rules" | "all" | "change">) {
  const words = said(CAMPAIGNS);
  const [text, setText] = useState("");
  const [strategy, setStrategy] = useState<Class>("acquisition");
  return (
    <Part name="rules" title={words.rules} lead={words.rulesLead}>
      {rules.length === 0 && <EmptySmall>{words.noRules}</EmptySmall>}
      <ol class="setting-rows rules">
        {rules.map((rule, at) => {
          const shown = ruleText(rule, all);
          const decided = all.filter((one) => decidingRule(rules, one) === at).length;
          return (
            <li key={at} data-rule={shown}>
              <div>
                {shown}: <strong>{words.classes[rule.strategy]}</strong>{" "}
                <span class="muted">({words.decides(figure(decided, "count"))})</span>
              </div>
              <div class="setting-tools">
                {at > 0 && (
                  <button
                    type="button"
                    class="link"
                    aria-label={words.upRule(shown)}
                    onClick={() => change(rules.with(at, rules[at - 1] as Rule).with(at - 1, rule))}
                  >
                    {words.up}
                  </button>
                )}
                <button
                  type="button"
                  class="link"
                  aria-label={words.removeRule(shown)}
                  onClick={() => change(rules.toSpliced(at, 1))}
                >
                  {words.remove}
                </button>
              </div>
            </li>
          );
        })}
      </ol>
      <form
        class="settings-fields"
        onSubmit={(event) => {
          event.preventDefault();
          const typed = text.trim().replaceAll("*", "");
          if (typed === "") return;
          change([...rules, { strategy, name: `*${typed}*` }]);
          setText("");
        }}
      >
        <TextField label={words.addRule} value={text} change={setText} />
        <SelectField<Class>
          label={words.goal}
          value={strategy}
          options={CLASSES.map((one) => [one, words.classes[one]])}
          change={setStrategy}
        />
        <button type="submit" disabled={text.trim() === ""}>
          {words.add}
        </button>
      </form>
    </Part>
  );
}
