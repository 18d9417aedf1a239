import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly tone: "info" | "warn" | "bad" | "good";
  readonly children: ComponentChildren;
  /** What to do about it. */
  readonly action?: { readonly text: string; readonly href?: string; readonly act?: () => void } | undefined;
  readonly close?: { readonly label: string; readonly act: () => void };
}

/** One line on top of a page: what is missing or wrong, and what to do. */
export function Banner({ tone, children, action, close }: Props) {
  return (
    <div class={`banner banner-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={tone === "good" ? "check" : tone === "info" ? "info" : "alert"} />
      <div class="banner-text">{children}</div>
      {action?.href !== undefined && (
        <a class="banner-action" href={action.href}>
          {action.text}
        </a>
      )}
      {action?.act && (
        <button type="button" class="banner-action link" onClick={action.act}>
          {action.text}
        </button>
      )}
      {close && (
        <button type="button" class="icon-button" aria-label={close.label} onClick={close.act}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
