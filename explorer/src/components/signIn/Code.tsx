import { useState } from "preact/hooks";
import { Refusal } from "../../platform/request.ts";
import { useLink } from "../../platform/signIn.ts";
import { useChange } from "../../platform/use.ts";
import { said } from "../../text.ts";
import { signIn as WORDS } from "../../words/later/signIn.ts";
import { Banner } from "../Banner.tsx";
import { Refused } from "../Refused.tsx";

interface Props {
  /** Of a link; without it the code alone signs in, in the browser that asked. */
  readonly token?: string;
  readonly needsCode: boolean;
  readonly done: (person: string) => void | Promise<void>;
}

/** The field is what the page waits for. */
const focused = (field: HTMLElement | null): void => field?.focus();

/** A code without what people add to it when they type it. */
const plain = (text: string): string => text.replaceAll(/[\s-]/g, "").toUpperCase();

/** The button that uses a link, and the field of the code that goes with it. */
export function Code({ token, needsCode, done }: Props) {
  const words = said(WORDS);
  const { run, isRunning, failure } = useChange();
  const [code, setCode] = useState("");
  const [note, setNote] = useState("");
  const isGone = failure instanceof Refusal && failure.kind === "notFound";
  const submit = async (): Promise<void> => {
    setNote("");
    if (needsCode && plain(code).length !== 8) return setNote(words.noCode);
    await run(async () => {
      const entered = await useLink({ ...(token ? { token } : {}), ...(needsCode ? { code: plain(code) } : {}) });
      if (entered.signedIn) return done(entered.person ?? "");
      const left = entered.triesLeft ?? 0;
      setNote(left > 0 ? words.wrong(left) : token ? words.usedUp : words.usedUpHere);
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {isGone && <Banner tone="bad">{token ? words.gone : words.goneCode}</Banner>}
      {failure && !isGone && <Refused failure={failure} retry={() => void submit()} />}
      {note && <Banner tone="bad">{note}</Banner>}
      {needsCode && (
        <label class="field">
          <span>{words.code}</span>
          <input
            name="code"
            value={code}
            required
            ref={focused}
            maxLength={20}
            autocomplete="one-time-code"
            autocapitalize="characters"
            spellcheck={false}
            aria-describedby="code-hint"
            onInput={({ currentTarget }) => setCode(currentTarget.value)}
          />
          <small id="code-hint">{words.codeHint}</small>
        </label>
      )}
      <button type="submit" class="primary" disabled={isRunning}>
        {isRunning ? words.entering : words.enter}
      </button>
    </form>
  );
}
