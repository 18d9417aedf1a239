import { useEffect, useRef, useState } from "preact/hooks";
import { said } from "../../../text.ts";
import { files as FILES } from "../../../words/later/files.ts";

interface Props {
  readonly take: (files: readonly File[]) => void;
  /** Instead of what all files may be. */
  readonly hint?: string | undefined;
}

/** Where files are dropped, anywhere on the page, or chosen by a button. */
export function Drop({ take, hint }: Props) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const words = said(FILES);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Without this the browser would open the file.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return (
    <div class={`drop${isOver ? " is-over" : ""}`} data-drop>
      <p class="drop-title">{isOver ? words.dropNow : words.drop}</p>
      <button type="button" class="primary" onClick={() => input.current?.click()}>
        {words.choose}
      </button>
      <p class="muted">{hint ?? words.kinds}</p>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.choose}
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
    </div>
  );
}
