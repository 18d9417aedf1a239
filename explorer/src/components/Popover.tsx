import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface Props {
  /** What the button says, or its name if it has only an icon. */
  readonly label: string;
  readonly button: ComponentChildren;
  /** Whether the button has a text of its own, which is then its name. */
  readonly hasText?: boolean;
  readonly class?: string;
  /** The side of the button at which it begins. */
  readonly align?: "start" | "end";
  readonly onOpen?: () => void;
  readonly children: ComponentChildren | ((close: () => void) => ComponentChildren);
}

const GAP = 4;
const EDGE = 8;

/**
 * A button that opens a box over the page. The browser's own popover closes it on Escape and on a click elsewhere, returns
 * the focus, and lets only one be open.
 */
export function Popover({ label, button, align = "start", hasText, onOpen, children, class: kind = "" }: Props) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [opener, opened] = [trigger.current, box.current];
    if (!opener || !opened) return;
    const place = (): void => {
      const at = opener.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = opened;
      const wanted = align === "end" ? at.right - width : at.left;
      const below = at.bottom + GAP;
      const isAbove = below + height > innerHeight - EDGE && at.top - GAP - height > EDGE;
      opened.style.left = `${Math.max(EDGE, Math.min(wanted, innerWidth - width - EDGE))}px`;
      opened.style.top = `${isAbove ? at.top - GAP - height : Math.min(below, Math.max(EDGE, innerHeight - height - EDGE))}px`;
    };
    const toggled = (event: Event): void => {
      const isOpen = (event as ToggleEvent).newState === "open";
      opener.setAttribute("aria-expanded", String(isOpen));
      for (const name of ["scroll", "resize"]) {
        if (isOpen) addEventListener(name, place, { passive: true });
        else removeEventListener(name, place);
      }
      if (!isOpen) return;
      onOpen?.();
      place();
      // The event is asynchronous: the user may already be typing in the box.
      if (opened.contains(document.activeElement)) return;
      const find = (what: string): HTMLElement | null => opened.querySelector(what);
      const chosen = find("[aria-checked=true], [aria-pressed=true]");
      (chosen ?? find("[autofocus], button, a, input, select"))?.focus();
    };
    opened.addEventListener("toggle", toggled);
    return () => {
      opened.removeEventListener("toggle", toggled);
      for (const name of ["scroll", "resize"]) removeEventListener(name, place);
    };
  }, [align, onOpen]);
  const close = (): void => box.current?.hidePopover();
  return (
    <>
      <button
        ref={trigger}
        type="button"
        class={`popover-button ${kind}`}
        popovertarget={id}
        aria-expanded="false"
        aria-haspopup="dialog"
        aria-label={hasText ? undefined : label}
        title={hasText ? undefined : label}
      >
        {button}
      </button>
      <div ref={box} id={id} class="popover" popover="auto" role="dialog" aria-label={label}>
        {typeof children === "function" ? children(close) : children}
      </div>
    </>
  );
}
