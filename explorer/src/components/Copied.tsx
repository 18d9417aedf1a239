import { useState } from "preact/hooks";
import { t } from "../text.ts";

/** Puts a text on the clipboard. Fails if the browser does not let it. */
export const copyText = (text: string): Promise<void> => navigator.clipboard?.writeText(text) ?? Promise.reject();

/** A text to copy, with a button that does it. */
export function Copied({ text }: { text: string }) {
  const [says, setSays] = useState("");
  const words = t().card;
  const copy = (): void => {
    copyText(text).then(
      () => setSays(words.copied),
      () => setSays(words.notCopied),
    );
  };
  return (
    <p class="to-copy">
      <code>{text}</code>{" "}
      <button type="button" class="link" onClick={copy}>
        {says || words.copy}
      </button>
    </p>
  );
}
