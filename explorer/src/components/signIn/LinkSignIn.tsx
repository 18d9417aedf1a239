import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure, resume } from "../../api.ts";
import { figure } from "../../format.ts";
import { goOn, type Link, look } from "../../platform/signIn.ts";
import { LOCAL, state } from "../../session.ts";
import { said } from "../../text.ts";
import { signIn as WORDS } from "../../words/later/signIn.ts";
import { Refused } from "../Refused.tsx";
import { Choices, Mark } from "../SignIn.tsx";
import { Code } from "./Code.tsx";

interface Props {
  readonly token: string;
  /** Whether the browser has a session already. */
  readonly isSignedIn: boolean;
}

/**
 * An opened link: who would sign in, and where. Only the button signs in, because mail programs open links and run their
 * scripts.
 */
export function LinkSignIn({ token, isSignedIn }: Props) {
  const words = said(WORDS);
  const [link, setLink] = useState<Link | undefined>();
  const [failure, setFailure] = useState<Failure | undefined>();
  const ask = (): void => {
    setFailure(undefined);
    look(token).then(setLink, (error: unknown) => {
      const found = error instanceof Failure ? error : new Failure("unforeseen", String(error));
      if (found.kind !== "notFound") return setFailure(found);
      // A link that was used may have been used here.
      if (isSignedIn) void resume();
      else state.value = { is: "out", why: "usedLink" };
    });
  };
  useEffect(ask, [token]);
  const another = (): void => {
    if (isSignedIn) void resume();
    else state.value = { is: "out", why: "first" };
  };
  return (
    <Frame title={link?.kind === "invitation" ? words.invitation : words.title}>
      {failure && <Refused failure={failure} retry={ask} />}
      {!link && !failure && <p role="status">{words.checking}</p>}
      {link && (
        <>
          <dl class="sign-in-who">
            <dt>{words.as}</dt>
            <dd>{link.person === LOCAL ? words.local : link.person}</dd>
            <dt>{words.where}</dt>
            <dd>{placeOf(link)}</dd>
          </dl>
          {link.needsCode && <p>{link.kind === "invitation" ? words.invited : words.otherBrowser}</p>}
          <Code token={token} needsCode={link.needsCode} done={goOn} />
          <p class="note">{words.privacy}</p>
          {link.kind === "link" && link.person !== LOCAL && <p class="note">{words.unasked}</p>}
        </>
      )}
      <button type="button" class="link" onClick={another}>
        {isSignedIn ? words.stay : words.other}
      </button>
    </Frame>
  );
}

/** The first organizations; the local operator is at all of them. */
function placeOf({ person, organizations }: Link): string {
  const words = said(WORDS);
  if (person === LOCAL || organizations.length === 0) return words.everywhere;
  const [first, second, third, ...more] = organizations;
  const named = [first, second, third].filter(Boolean).join(", ");
  return more.length === 0 ? named : `${named} ${words.more(figure(more.length, "count"))}`;
}

function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <div class="sign-in-head">
          <Mark />
          <h1>{title}</h1>
        </div>
        {children}
        <Choices />
      </div>
    </main>
  );
}
