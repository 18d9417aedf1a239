import { useEffect, useRef } from "preact/hooks";
import { Banner } from "../../components/Banner.tsx";
import { Icon } from "../../components/Icon.tsx";
import { addStyle } from "../../later.tsx";
import { route, settingsAt } from "../../route.ts";
import { person } from "../../session.ts";
import { said } from "../../text.ts";
import { sections as WORDS } from "../../words/later/sections.ts";
import { isUnsaved } from "./draft.ts";
import { offered, type Section } from "./sections.ts";

// What belongs to the settings alone is styled by a file of its own.
addStyle("settings");

/** The settings: the list of sections, and the one that the address names. On a phone one or the other. */
export function Settings() {
  const words = said(WORDS);
  const name = route.value.section;
  const all = offered();
  const chosen = all.find((one) => one.name === name);
  const shown = chosen ?? all[0];
  if (!shown) return <Banner tone="info">{person.value ? words.notAdmin : words.onlyPeople}</Banner>;
  return (
    <div class={`settings ${chosen ? "settings-opened" : "settings-listed"}`}>
      <List all={all} shown={shown} />
      <div class="settings-section">
        {name !== "" && !chosen && <Banner tone="info">{words.unknown}</Banner>}
        <a class="settings-back" href={settingsAt("")}>
          {words.all}
        </a>
        <Opened key={shown.name} section={shown} />
      </div>
    </div>
  );
}

/** What a section saves, where that is not what it is called. */
const DRAFTS: Readonly<Record<string, readonly string[]>> = { costs: ["costs", "margin"] };

function List({ all, shown }: { all: readonly Section[]; shown: Section }) {
  const words = said(WORDS);
  const groups = [...new Set(all.map(({ group }) => group))];
  return (
    <nav class="settings-list" aria-label={words.list}>
      {groups.map((group) => (
        <section key={group}>
          <h2>{words.groups[group]}</h2>
          <ul>
            {all
              .filter((one) => one.group === group)
              .map(({ name }) => (
                <li key={name}>
                  <a href={settingsAt(name)} aria-current={name === shown.name ? "page" : undefined}>
                    <span>
                      {words.names[name]}
                      {(DRAFTS[name] ?? [name]).some(isUnsaved) && (
                        <>
                          {" "}
                          <em class="chip">{words.unsaved}</em>
                        </>
                      )}
                      <small>{words.leads[name]}</small>
                    </span>
                    <Icon name="next" />
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** A section under its heading, which receives the focus when it is opened from the list. */
function Opened({ section: { name, show: Show } }: { section: Section }) {
  const words = said(WORDS);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (route.value.section === name && hasOpened) {
      scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    hasOpened = true;
  }, [name]);
  return (
    <section aria-labelledby="section-title">
      <h2 id="section-title" ref={heading} class="settings-title" tabIndex={-1}>
        {words.names[name]}
      </h2>
      <p class="settings-lead">{words.leads[name]}</p>
      <Show />
    </section>
  );
}

/** Whether a section was shown before: the first one leaves the focus where it is. */
let hasOpened = false;
