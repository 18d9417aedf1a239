import { useState } from "preact/hooks";
import { asked } from "../../platform/again.ts";
import { type Link, look } from "../../platform/signIn.ts";
import { useChange } from "../../platform/use.ts";
import { LOCAL, person, ways } from "../../session.ts";
import { said } from "../../text.ts";
import { sections } from "../../words/later/sections.ts";
import { signIn as WORDS } from "../../words/later/signIn.ts";
import { Banner } from "../Banner.tsx";
import { Sheet } from "../Modal.tsx";
import { Refused } from "../Refused.tsx";
import { Code } from "./Code.tsx";
import { MailSignIn } from "./MailSignIn.tsx";

/** A change waits for a sign-in: it happens over the page, so that nothing typed is lost, and then the change goes on. */
export function SignInAgain() {
  const words = said(sections).again;
  const now = asked.value;
  const who = person.value?.email ?? "";
  if (!now) return null;
  const done = (entered: string): void => {
    // What the page shows is the other one's.
    if (entered !== who) location.reload();
    else now.done(true);
  };
  return (
    <Sheet title={words.title} close={() => now.done(false)}>
      <div class="sign-in-step">
        <p>{now.why === "again" ? words.why : words.ended}</p>
        {ways.value?.mail && who !== LOCAL ? <MailSignIn email={who} done={done} /> : <Pasted done={done} />}
      </div>
    </Sheet>
  );
}

const TOKEN = /#signin=([\w-]+)\s*$/;

/** A link of the operator, where no mail is set up. */
function Pasted({ done }: { done: (entered: string) => void }) {
  const words = said(WORDS);
  const { run, isRunning, failure } = useChange();
  const [text, setText] = useState("");
  const [isNone, setNone] = useState(false);
  const [found, setFound] = useState<{ token: string; link: Link } | undefined>();
  const check = (): void => {
    const [, token] = TOKEN.exec(text) ?? [];
    setNone(token === undefined);
    if (token !== undefined) void run(async () => setFound({ token, link: await look(token) }));
  };
  if (found) return <Code token={found.token} needsCode={found.link.needsCode} done={done} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        check();
      }}
    >
      {isNone && <Banner tone="bad">{words.noLink}</Banner>}
      {failure &&
        (failure.kind === "notFound" ? (
          <Banner tone="bad">{words.gone}</Banner>
        ) : (
          <Refused failure={failure} retry={check} />
        ))}
      <label class="field">
        <span>{words.paste}</span>
        <input
          name="link"
          value={text}
          required
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="note">{words.pasteHint}</p>
      <button type="submit" class="primary" disabled={isRunning}>
        {isRunning ? words.entering : words.enter}
      </button>
    </form>
  );
}
