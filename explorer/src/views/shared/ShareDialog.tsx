import { useState } from "preact/hooks";
import { addressOf, type Query, STORES } from "../../api.ts";
import { Copied } from "../../components/Copied.tsx";
import { momentText } from "../../components/Known.tsx";
import { Sheet } from "../../components/Modal.tsx";
import { addStyle } from "../../later.tsx";
import { known } from "../../moment.ts";
import { add, ofOrganization } from "../../platform/request.ts";
import { useChange } from "../../platform/use.ts";
import { said } from "../../text.ts";
import { shares as WORDS } from "../../words/later/shares.ts";
import { Form, OnlyNow, Refused } from "../settings/parts.tsx";
import { shownPage } from "./frozen.ts";

// The form is one of the settings.
addStyle("settings");

const DAYS = { fallback: "30", least: 1, most: 400 };
const SECTIONS = ["fixed", "profit"] as const;
type Section = (typeof SECTIONS)[number];

interface Props {
  /** What the share is called unless somebody types another name. */
  readonly name: string;
  /** The questions whose answers the page shows. */
  readonly queries: readonly Query[];
  /** Whether the page has a profit that could be left out. */
  readonly hasProfit: boolean;
  readonly close: () => void;
}

/** Makes an address that opens the page without an account, and shows it once. */
export function ShareDialog({ name: first, queries, hasProfit, close }: Props) {
  const words = said(WORDS);
  const change = useChange();
  const [name, setName] = useState(first);
  const [days, setDays] = useState(DAYS.fallback);
  const [sections, setSections] = useState<readonly Section[]>([]);
  const [url, setUrl] = useState<string | undefined>();
  const create = (): Promise<boolean> =>
    change.run(async () => {
      const made = await add<{ url?: string }>(ofOrganization("shares"), {
        name: name.trim(),
        page: shownPage(),
        answers: [STORES, ...queries].map((query) => addressOf(query, "")),
        sections,
        days: Number(days),
        ...(known.peek() ? { knownAt: known.peek() } : {}),
      });
      setUrl(made.url ?? "");
    });
  if (url !== undefined)
    return (
      <Sheet title={words.title} close={close}>
        <OnlyNow>
          <p>
            <strong>{url ? words.once : words.shownBefore}</strong>
          </p>
          {url && <Copied text={url} />}
        </OnlyNow>
      </Sheet>
    );
  return (
    <Sheet title={words.title} close={close}>
      <p class="note">{words.lead}</p>
      <Form change={change} submit={() => void create()} button={words.create} canSave={name.trim() !== ""}>
        <Refused failure={change.failure} />
        <label class="field">
          <span>{words.name}</span>
          <input
            type="text"
            name="name"
            required
            maxLength={100}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <small>{words.nameHint}</small>
        </label>
        <label class="field is-short">
          <span>{words.days}</span>
          <input
            type="number"
            name="days"
            required
            min={DAYS.least}
            max={DAYS.most}
            value={days}
            onInput={({ currentTarget }) => setDays(currentTarget.value)}
          />
        </label>
        {hasProfit && (
          <fieldset class="share-sections">
            <legend>{words.shown}</legend>
            {SECTIONS.map((section) => (
              <label key={section}>
                <input
                  type="checkbox"
                  name={section}
                  checked={sections.includes(section)}
                  onChange={({ currentTarget: { checked } }) =>
                    setSections(SECTIONS.filter((one) => (one === section ? checked : sections.includes(one))))
                  }
                />{" "}
                {words[section]}
              </label>
            ))}
            <small class="note">{words.either}</small>
          </fieldset>
        )}
        <p class="note">{known.value ? words.asKnown(momentText(known.value)) : words.asNow}</p>
      </Form>
    </Sheet>
  );
}
