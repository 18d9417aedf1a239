import type { ComponentChildren } from "preact";
import { ways } from "../../session.ts";
import { said } from "../../text.ts";
import { signIn as WORDS } from "../../words/later/signIn.ts";
import { MailSignIn } from "./MailSignIn.tsx";

/** How people sign in, and, behind a disclosure, the sign-in with a key. */
export function PeopleSignIn({ children }: { children: ComponentChildren }) {
  const words = said(WORDS);
  const hasMail = ways.value?.mail === true;
  return (
    <>
      {hasMail ? <MailSignIn /> : <p class="note">{words.noMail}</p>}
      {hasMail && <p class="note">{words.privacy}</p>}
      <details class="sign-in-key" open={!hasMail}>
        <summary>{words.key}</summary>
        {children}
      </details>
    </>
  );
}
