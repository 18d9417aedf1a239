import { useState } from "preact/hooks";
import { BUILT_IN_ALERTS } from "../../../../../src/core/contract/settings.ts";
import { useAnswer } from "../../../answer.ts";
import type { Alerts as Answer } from "../../../answers.ts";
import { EmptySmall } from "../../../components/EmptySmall.tsx";
import { figure } from "../../../format.ts";
import { said } from "../../../text.ts";
import { alerts as ALERTS } from "../../../words/later/alerts.ts";
import { useDraft } from "../draft.ts";
import { Failed } from "../failed.tsx";
import { Part, Tick } from "../fields.tsx";
import { mergedList } from "../merged.ts";
import { SaveBar } from "../SaveBar.tsx";
import { NewRule } from "./NewRule.tsx";
import { Replay } from "./Replay.tsx";
import { type Alert, type BuiltIn, isRule, withBuiltIn } from "./rule.ts";
import { Sentence } from "./Sentence.tsx";

/** Which figures are watched: the built-in alerts, and rules of one's own, each with what it would have said. */
export function Alerts() {
  const words = said(ALERTS);
  const draft = useDraft<readonly Alert[]>("alerts", { empty: [], merged: mergedList });
  const answer = useAnswer<Answer>({ path: "/v1/alerts", params: {} });
  const judged = answer.state === "ready" ? answer.data.judged : [];
  const [tried, setTried] = useState<string | undefined>();
  if (draft.failure && !draft.base) return <Failed failure={draft.failure} retry={() => void draft.reload()} />;
  const { now } = draft;
  if (!now) return <p class="skeleton skeleton-medium" />;
  const rules = now.filter(isRule);
  const tryOf = (key: string, name: string) => (
    <button
      type="button"
      class="link"
      aria-label={tried === key ? `${words.hide}: ${name}` : words.tryOf(name)}
      aria-expanded={tried === key}
      onClick={() => setTried(tried === key ? undefined : key)}
    >
      {tried === key ? words.hide : words.try}
    </button>
  );
  return (
    <>
      <Part name="builtIn" title={words.builtIn} lead={words.builtInLead}>
        <ul class="setting-rows">
          {BUILT_IN_ALERTS.map((name) => {
            const stated: BuiltIn = now.find((one): one is BuiltIn => !isRule(one) && one.builtIn === name) ?? {
              builtIn: name,
            };
            const title = words.names[name] ?? name;
            const { off = false, atOnce = false } = stated;
            const change = (to: { readonly off: boolean; readonly atOnce: boolean }): void =>
              draft.change(
                withBuiltIn(now, {
                  builtIn: name,
                  ...(to.off ? { off: true as const } : {}),
                  ...(to.atOnce ? { atOnce: true as const } : {}),
                }),
              );
            return (
              <li key={name} data-alert={name}>
                <fieldset class="setting-choice">
                  <legend>{title}</legend>
                  <Tick label={words.on} checked={!off} change={(on) => change({ off: !on, atOnce })} />
                  {!off && <Tick label={words.atOnce} checked={atOnce} change={(at) => change({ off, atOnce: at })} />}
                  {!off && <Ability judged={judged.find((one) => one.builtIn && one.alert === name)} />}
                  {tried === name && <Replay alert={{ builtIn: name }} name={title} />}
                </fieldset>
                {tryOf(name, title)}
              </li>
            );
          })}
        </ul>
      </Part>
      <Part name="rules" title={words.rules} lead={words.rulesLead}>
        {rules.length === 0 && <EmptySmall>{words.none}</EmptySmall>}
        <ul class="setting-rows">
          {rules.map((rule) => (
            <li key={rule.name} data-alert={rule.name}>
              <div>
                <Sentence rule={rule} />
                {tried === `rule ${rule.name}` && <Replay alert={rule} name={rule.name} />}
              </div>
              <span>
                {tryOf(`rule ${rule.name}`, rule.name)}{" "}
                <button
                  type="button"
                  class="link"
                  aria-label={`${words.remove}: ${rule.name}`}
                  onClick={() => draft.change(now.filter((one) => one !== rule))}
                >
                  {words.remove}
                </button>
              </span>
            </li>
          ))}
        </ul>
        <NewRule names={rules.map(({ name }) => name)} add={(rule) => draft.change([...now, rule])} />
      </Part>
      <SaveBar
        sections={[
          {
            name: "alerts",
            draft,
            describe: (theirs) => (
              <ul>
                {(theirs as readonly Alert[]).map((one) => (
                  <li key={JSON.stringify(one)}>
                    {isRule(one) ? (
                      <Sentence rule={one} />
                    ) : (
                      `${words.names[one.builtIn] ?? one.builtIn}: ${one.off ? words.isOff : one.atOnce ? words.atOnceShort : words.on}`
                    )}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </>
  );
}

/** Whether a built-in alert can tell its event from chance in this shop, and how small a one. */
function Ability({ judged }: { judged: Answer["judged"][number] | undefined }) {
  const words = said(ALERTS);
  if (!judged) return null;
  const { canTell, leastPct } = judged;
  const least = leastPct === null ? undefined : figure(leastPct, "percent");
  if (!canTell) return <p class="note">{least === undefined ? words.cannotTell : words.cannotTellUnder(least)}</p>;
  return least === undefined ? null : <p class="note">{words.findsFrom(least)}</p>;
}
