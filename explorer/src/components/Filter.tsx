import { CHANNELS } from "../../../src/core/contract/channel.ts";
import { filter, filterStores, storeName } from "../filter.ts";
import { set } from "../route.ts";
import { t } from "../text.ts";
import { Icon } from "./Icon.tsx";
import { walk } from "./Menu.tsx";
import { Popover } from "./Popover.tsx";

const channelName = (channel: string): string => t().channels[channel] ?? channel;

/** Next to the period: of which store and channel the figures are. What is chosen stands out, and a click removes it. */
export function FilterButton() {
  const words = t().filter;
  const text = filterText();
  return (
    <span class={text ? "filter-pill" : "filter-none"}>
      <Popover
        label={words.label}
        class="text-button"
        hasText
        button={
          <>
            <span class={text ? "filter-name" : "muted"}>
              {text && <span class="unseen">{words.label}: </span>}
              {text || words.all}
            </span>
            <Icon name="down" />
          </>
        }
      >
        {(close) => <FilterPicker done={close} />}
      </Popover>
      {text && <Remove name={text} changes={NO_FILTER} />}
    </span>
  );
}

const NO_FILTER = { onlyStore: "", onlyChannel: "" };

/** Shows the whole organization again. */
export const removeFilter = (): void => set(NO_FILTER);

const Remove = ({ name, changes }: { name: string; changes: Readonly<Record<string, string>> }) => (
  <button
    type="button"
    class="icon-button"
    aria-label={t().filter.remove(name)}
    title={t().filter.remove(name)}
    onClick={() => set(changes)}
  >
    <Icon name="close" />
  </button>
);

export function FilterPicker({ done }: { done: () => void }) {
  const words = t().filter;
  const { store, channel } = filter.value;
  const stores = filterStores.value;
  return (
    <div class="picker">
      {stores.length > 1 && (
        <Choices
          label={words.store}
          options={[["", words.allStores], ...stores.map(({ integrationId, name }) => [integrationId, name] as const)]}
          value={store}
          choose={(onlyStore) => {
            set({ onlyStore });
            done();
          }}
        />
      )}
      <Choices
        label={words.channel}
        options={[["", words.allChannels], ...CHANNELS.map((name) => [name, channelName(name)] as const)]}
        value={channel}
        choose={(onlyChannel) => {
          set({ onlyChannel });
          done();
        }}
      />
      <p class="note">{words.hint}</p>
    </div>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
  readonly value: string;
  readonly choose: (value: string) => void;
}

const Choices = ({ label, options, value, choose }: ChoicesProps) => (
  <fieldset class="filter-choices">
    <legend>{label}</legend>
    {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons within */}
    <div class="picker-list" onKeyDown={walk}>
      {options.map(([key, text]) => (
        <button key={key} type="button" class="menu-entry" aria-pressed={key === value} onClick={() => choose(key)}>
          <span>{text}</span>
          {key === value && <Icon name="check" />}
        </button>
      ))}
    </div>
  </fieldset>
);

/** On a phone, where the bar has one button: what is chosen, each with a button that removes it. */
export function FilterPills() {
  const words = t().filter;
  const { store, channel } = filter.value;
  return (
    <div class="toolbar-pills">
      {store && <Pill what={words.onlyStore} name={storeName(store)} changes={{ onlyStore: "" }} />}
      {channel && <Pill what={words.onlyChannel} name={channelName(channel)} changes={{ onlyChannel: "" }} />}
    </div>
  );
}

interface PillProps {
  readonly what: string;
  readonly name: string;
  readonly changes: Readonly<Record<string, string>>;
}

const Pill = ({ what, name, changes }: PillProps) => (
  <span class="filter-pill">
    <span class="filter-name">
      <span class="unseen">{what}: </span>
      {name}
    </span>
    <Remove name={name} changes={changes} />
  </span>
);

/** What the figures are of, in words: for a picture, a file or a page that has no toolbar. Empty without a filter. */
export const filterText = ({ store, channel } = filter.value): string =>
  [store && storeName(store), channel && channelName(channel)].filter(Boolean).join(" · ");
