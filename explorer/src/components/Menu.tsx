import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./Icon.tsx";
import { Popover } from "./Popover.tsx";

/** An entry of a menu: an action, a link, a choice, or a heading with whatever belongs below it. */
export type Item =
  | {
      readonly is: "action";
      readonly text: string;
      readonly act: () => void;
      readonly keepsOpen?: boolean;
      readonly data?: string;
    }
  | { readonly is: "link"; readonly text: string; readonly href: string }
  | { readonly is: "choice"; readonly text: string; readonly isChosen: boolean; readonly act: () => void }
  | { readonly is: "heading"; readonly text: string }
  | { readonly is: "note"; readonly text: ComponentChildren }
  | { readonly is: "line" };

interface Props {
  readonly label: string;
  readonly items: readonly Item[];
  readonly icon?: IconName;
  /** Text on the button, instead of an icon. */
  readonly text?: ComponentChildren;
  readonly align?: "start" | "end";
  readonly class?: string;
}

/** A button with an overflow menu. Arrow keys move between its entries. */
export function Menu({ label, items, icon = "more", text, align = "end", class: kind = "" }: Props) {
  return (
    <Popover
      label={label}
      align={align}
      hasText={text !== undefined}
      class={`${text === undefined ? "icon-button" : "text-button"} ${kind}`}
      button={text ?? <Icon name={icon} />}
    >
      {(close) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons within
        <div class="menu" onKeyDown={walk}>
          {items.map((item, n) => (
            <Entry
              key={`${item.is} ${"text" in item && typeof item.text === "string" ? item.text : n}`}
              item={item}
              close={close}
            />
          ))}
        </div>
      )}
    </Popover>
  );
}

/** Arrow keys move between the buttons and links of an element. */
export function walk(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>("button, a")];
  const now = all.indexOf(document.activeElement as HTMLElement);
  all[(now + by + all.length) % all.length]?.focus();
}

function Entry({ item, close }: { item: Item; close: () => void }) {
  switch (item.is) {
    case "line":
      return <hr />;
    case "heading":
      return <p class="menu-heading">{item.text}</p>;
    case "note":
      return <p class="menu-note">{item.text}</p>;
    case "link":
      return (
        <a class="menu-entry" href={item.href} onClick={close}>
          {item.text}
        </a>
      );
    case "choice":
      return (
        <button
          type="button"
          class="menu-entry"
          aria-pressed={item.isChosen}
          onClick={() => {
            item.act();
            close();
          }}
        >
          <span>{item.text}</span>
          {item.isChosen && <Icon name="check" />}
        </button>
      );
    default:
      return (
        <button
          type="button"
          class="menu-entry"
          {...(item.data === undefined ? {} : { "data-curl": item.data })}
          onClick={() => {
            item.act();
            if (!item.keepsOpen) close();
          }}
        >
          {item.text}
        </button>
      );
  }
}
