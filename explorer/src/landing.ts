import { useEffect } from "preact/hooks";
import { arg, type View } from "./route.ts";

/** How long the page is followed while its answers arrive and move what is below them. */
const LANDING_MS = 10_000;

/** The user's own movements end it. */
const OWN = ["wheel", "touchstart", "keydown", "pointerdown"] as const;

/**
 * Scrolls to the card that the address names, so that a link ends at its answer and not at the top of the page, and keeps
 * it there while what is above it loads. Its title receives the focus.
 */
export function useLanding(view: View): void {
  const name = arg("at");
  useEffect(() => {
    if (name === "") return;
    const find = (): HTMLElement | null => document.querySelector(`main [data-picture="${CSS.escape(name)}"]`);
    let isFocused = false;
    const follow = (): void => {
      const card = find();
      if (!card) return;
      card.scrollIntoView({ block: "start" });
      const title = card.querySelector("h2");
      if (isFocused || !title) return;
      isFocused = true;
      title.tabIndex = -1;
      title.focus({ preventScroll: true });
    };
    const sizes = new ResizeObserver(follow);
    const main = document.querySelector("main");
    if (main) sizes.observe(main);
    const end = (): void => {
      sizes.disconnect();
      clearTimeout(timer);
      for (const event of OWN) removeEventListener(event, end);
    };
    const timer = setTimeout(end, LANDING_MS);
    for (const event of OWN) addEventListener(event, end, { passive: true });
    return end;
  }, [view, name]);
}
