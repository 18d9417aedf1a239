import { useRef, useState } from "preact/hooks";
import { Failure, openSession } from "../api.ts";
import { refused } from "../session.ts";
import { t } from "../text.ts";
import { Preferences } from "./Preferences.tsx";
import { Problem } from "./Problem.tsx";

/** Asks for the credentials and the organization, and checks them with a request before it starts the session. */
export function Login() {
  const [isOpening, setOpening] = useState(false);
  const [failure, setFailure] = useState<Failure | undefined>(refused.value ? new Failure(refused.value) : undefined);
  const form = useRef<HTMLFormElement>(null);
  const words = t().login;

  const attempt = async (): Promise<void> => {
    const typed = new FormData(form.current ?? undefined);
    const [clientId = "", clientSecret = "", organizationId = ""] = ["clientId", "clientSecret", "organizationId"].map(
      (name) => String(typed.get(name) ?? "").trim(),
    );
    const candidate = { clientId, clientSecret, organizationId };
    setOpening(true);
    setFailure(undefined);
    try {
      await openSession(candidate);
      refused.value = undefined;
    } catch (error) {
      setFailure(error instanceof Failure ? error : new Failure("unforeseen", String(error)));
      setOpening(false);
    }
  };

  return (
    <main class="login">
      <div class="login-card">
        <h1>
          <Mark /> {t().title}
        </h1>
        <p class="lead">{words.lead}</p>
        <form
          ref={form}
          autocomplete="off"
          onSubmit={(event) => {
            event.preventDefault();
            void attempt();
          }}
        >
          <label class="field">
            <span>{words.clientId}</span>
            <input name="clientId" required autocapitalize="none" autocomplete="off" spellcheck={false} />
          </label>
          <label class="field">
            <span>{words.clientSecret}</span>
            <input name="clientSecret" type="password" required autocomplete="off" />
          </label>
          <label class="field">
            <span>{words.organizationId}</span>
            <input name="organizationId" required autocapitalize="none" autocomplete="off" spellcheck={false} />
          </label>
          <button type="submit" class="primary" disabled={isOpening}>
            {isOpening ? words.opening : words.open}
          </button>
        </form>
        {failure && <Problem failure={failure} retry={() => void attempt()} />}
        <p class="privacy">{words.privacy}</p>
        <Preferences />
      </div>
    </main>
  );
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M8 23V9M8 23h16M12 18l4-4 3 3 5-6" />
    </svg>
  );
}
