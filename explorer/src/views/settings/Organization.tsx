import { useState } from "preact/hooks";
import { resume } from "../../api.ts";
import { ofOrganization, type Read, replace } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { organization } from "../../session.ts";
import { said } from "../../text.ts";
import { organizationSettings as WORDS } from "../../words/later/organization.ts";
import { Form, Loaded, Panel, Refused } from "./parts.tsx";

interface Value {
  readonly name: string;
  readonly locale: "pt-BR" | "en" | null;
  readonly currency: string | null;
}

/** Name, language and currency of the organization. */
export function Organization() {
  const resource = useResource<{ value: Value }>(ofOrganization("settings/organization"));
  return (
    <Loaded of={resource}>{({ value }) => <Fields key={resource.tag} resource={resource} value={value} />}</Loaded>
  );
}

interface Props {
  readonly resource: ReturnType<typeof useResource<{ value: Value }>>;
  readonly value: Value;
}

function Fields({ resource, value }: Props) {
  const words = said(WORDS);
  const change = useChange();
  const [draft, setDraft] = useState(value);
  const [isSaved, setSaved] = useState(false);
  const hasLanded = organization.value?.connectors.some(({ lastLandedAt }) => lastLandedAt !== null) ?? false;
  const edit = (part: Partial<Value>): void => {
    setSaved(false);
    setDraft({ ...draft, ...part });
  };
  const save = async (tag: string): Promise<void> => {
    const isDone = await change.run(() => replace(ofOrganization("settings/organization"), { value: draft }, tag));
    if (!isDone) return;
    setSaved(true);
    // The header names the organization.
    await resume();
  };
  return (
    <Panel title={words.title}>
      <Form change={change} submit={() => void save(resource.tag)} isSaved={isSaved}>
        <Refused
          failure={change.failure}
          show={(present) => <Summary value={(present as { value: Value }).value} />}
          redo={(present: Read<unknown>) => void save(present.tag)}
          keep={() => {
            change.forget();
            void resource.reload();
          }}
        />
        <label class="field">
          <span>{words.name}</span>
          <input
            name="name"
            value={draft.name}
            required
            maxLength={200}
            autocomplete="off"
            onInput={({ currentTarget }) => edit({ name: currentTarget.value })}
          />
        </label>
        <div class="settings-fields">
          <label class="field">
            <span>{words.locale}</span>
            <select
              name="locale"
              value={draft.locale ?? "pt-BR"}
              onChange={({ currentTarget }) => edit({ locale: currentTarget.value as Value["locale"] })}
            >
              <option value="pt-BR">{words.locales["pt-BR"]}</option>
              <option value="en">{words.locales.en}</option>
            </select>
            <small>{words.localeHint}</small>
          </label>
          <label class="field">
            <span>{words.currency}</span>
            <input
              name="currency"
              value={draft.currency ?? ""}
              maxLength={3}
              pattern="[A-Z]{3}"
              placeholder={organization.value?.currency ?? "BRL"}
              disabled={hasLanded}
              autocomplete="off"
              onInput={({ currentTarget }) => edit({ currency: currentTarget.value.toUpperCase() || null })}
            />
            <small>{hasLanded ? words.currencyFixed : words.currencyHint}</small>
          </label>
        </div>
      </Form>
    </Panel>
  );
}

function Summary({ value: { name, locale, currency } }: { value: Value }) {
  const { locales } = said(WORDS);
  return <p>{[name, locales[locale ?? "pt-BR"], currency].filter(Boolean).join(" · ")}</p>;
}
