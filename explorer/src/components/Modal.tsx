import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../text.ts";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A box on the right over the page, such as the explanation of a figure; the whole width on a phone. */
export const Drawer = (props: Props) => <Modal {...props} kind="drawer" />;

/** A box that comes from below on a phone, and is in the middle of a larger screen. */
export const Sheet = (props: Props) => <Modal {...props} kind="sheet" />;

/** The browser's own dialog: it keeps the focus, closes on Escape, and covers the page. */
function Modal({ title, close, children, kind }: Props & { readonly kind: "drawer" | "sheet" }) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = place.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog closes on Escape by itself
    <dialog
      ref={place}
      class={`modal ${kind}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === place.current && close()}
    >
      <div class="modal-box">
        <header class="modal-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label={t().frame.close} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        <div class="modal-body">{children}</div>
      </div>
    </dialog>
  );
}
