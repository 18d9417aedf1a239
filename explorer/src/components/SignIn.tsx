import { useRef, useState } from "preact/hooks";
import { Failure, signIn } from "../api.ts";
import { later } from "../later.tsx";
import { language, THEMES, theme } from "../preferences.ts";
import { type Reason, ways } from "../session.ts";
import { lang, t } from "../text.ts";
import { Banner } from "./Banner.tsx";
import { Problem } from "./Problem.tsx";

const PeopleSignIn = later(() => import("./signIn/PeopleSignIn.tsx").then((loaded) => loaded.PeopleSignIn));

/** What `keys create` prints, with or without `--json`, or id and secret with a dot or a space between them. */
export function credentialsIn(text: string): { readonly clientId: string; readonly clientSecret: string } | undefined {
  const [, clientId] = /client_id"?\s*[:=]\s*"?([\w.-]+)/.exec(text) ?? [];
  const [, clientSecret] = /client_secret"?\s*[:=]\s*"?([\w-]+)/.exec(text) ?? [];
  if (clientId && clientSecret) return { clientId, clientSecret };
  const [, id, secret] = /^\s*(lucra_[\w-]+)[.:\s]+([\w-]{43})\s*$/.exec(text) ?? [];
  if (id && secret) return { clientId: id, clientSecret: secret };
  const [one, other, ...more] = text.trim().split(/\s+/);
  return one && other && more.length === 0 ? { clientId: one, clientSecret: other } : undefined;
}

/** Asks for the key: id and secret, as they were received. The address stays, so that a link leads on to what it shows. */
export function SignIn({ why }: { why: Reason }) {
  const [isOpening, setOpening] = useState(false);
  const [failure, setFailure] = useState<Failure | undefined>();
  const [isNoKey, setNoKey] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const words = t().signIn;
  const isTrying = failure !== undefined || isNoKey;

  const attempt = async (): Promise<void> => {
    const key = credentialsIn(field.current?.value ?? "");
    setNoKey(key === undefined);
    setFailure(undefined);
    if (!key) return;
    setOpening(true);
    try {
      await signIn(key);
    } catch (error) {
      setFailure(error instanceof Failure ? error : new Failure("unforeseen", String(error)));
      setOpening(false);
    }
  };
  const fill = (event: ClipboardEvent): void => {
    const found = credentialsIn(event.clipboardData?.getData("text") ?? "");
    if (!found || !field.current) return;
    event.preventDefault();
    // In a field of one line pasted lines would run together.
    field.current.value = `${found.clientId} ${found.clientSecret}`;
    field.current.form?.querySelector<HTMLElement>("[type=submit]")?.focus();
  };

  const key = (
    <>
      {failure?.kind === "unauthorized" ? (
        <Banner tone="bad">{words.unauthorized}</Banner>
      ) : (
        failure && <Problem failure={failure} retry={() => void attempt()} />
      )}
      {isNoKey && <Banner tone="bad">{words.noKey}</Banner>}
      <form
        onPaste={fill}
        onSubmit={(event) => {
          event.preventDefault();
          void attempt();
        }}
      >
        <label class="field">
          <span>{words.key}</span>
          <input ref={field} name="key" type="password" required autocomplete="current-password" />
        </label>
        <p class="note">{words.paste}</p>
        <button type="submit" class="primary" disabled={isOpening}>
          {isOpening ? words.opening : words.open}
        </button>
      </form>
      <p class="note">{words.privacy}</p>
    </>
  );
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <div class="sign-in-head">
          <Mark />
          <h1>{t().frame.title}</h1>
          <p class="muted">{words.lead}</p>
        </div>
        {!isTrying && why !== "first" && why !== "refused" && (
          <Banner tone={why === "signedOut" ? "good" : "warn"}>{words[why]}</Banner>
        )}
        {ways.value ? <PeopleSignIn>{key}</PeopleSignIn> : key}
        <Choices />
      </div>
    </main>
  );
}

/** Language and theme, before there is a menu. */
export function Choices() {
  const { frame } = t();
  return (
    <p class="sign-in-choices">
      <button type="button" class="quiet" onClick={() => setLanguage(lang.value === "pt" ? "en" : "pt")}>
        {lang.value === "pt" ? "English" : "Português"}
      </button>
      <button type="button" class="quiet" onClick={nextTheme}>
        {frame.theme}: {frame.themes[theme.value]}
      </button>
    </p>
  );
}

function setLanguage(next: "pt" | "en"): void {
  language.value = next;
}

function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system";
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M8 23V9M8 23h16M12 18l4-4 3 3 5-6" />
    </svg>
  );
}
