import { useState } from "preact/hooks";
import { askForLink, goOn } from "../../platform/signIn.ts";
import { useChange } from "../../platform/use.ts";
import { said } from "../../text.ts";
import { signIn as WORDS } from "../../words/later/signIn.ts";
import { Banner } from "../Banner.tsx";
import { Refused } from "../Refused.tsx";
import { Code } from "./Code.tsx";

interface Props {
  /** Who signs in; without it the person types the own address. */
  readonly email?: string;
  readonly done?: (person: string) => void | Promise<void>;
}

/** Signs in by mail: the address, and then the code that came with the link. */
export function MailSignIn({ email: known = "", done = goOn }: Props) {
  const words = said(WORDS);
  const { run, isRunning, failure } = useChange();
  const [email, setEmail] = useState(known);
  const [sentTo, setSentTo] = useState("");
  const ask = (): Promise<boolean> =>
    run(async () => {
      await askForLink(email.trim());
      setSentTo(email.trim());
    });
  if (sentTo !== "")
    return (
      <div class="sign-in-step">
        <Banner tone="good">{words.sent(sentTo)}</Banner>
        <Code needsCode done={done} />
        <p class="note">{words.sentHint}</p>
        <button type="button" class="quiet" onClick={() => setSentTo("")}>
          {words.another}
        </button>
      </div>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      {failure && <Refused failure={failure} retry={() => void ask()} />}
      <label class="field">
        <span>{words.email}</span>
        <input
          name="email"
          type="email"
          value={email}
          required
          maxLength={254}
          autocomplete="email"
          spellcheck={false}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={isRunning}>
        {isRunning ? words.asking : words.ask}
      </button>
    </form>
  );
}
