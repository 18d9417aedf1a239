import { useState } from "preact/hooks";
import { curlOf, download, Failure, type Format, type Query } from "../api.ts";
import { fieldsOf, formatsOf } from "../openapi.ts";
import { t } from "../text.ts";

/** Buttons that copy a picture's request as a command and save its data as a file. */
export function Actions({ query }: { query: Query }) {
  return (
    <div class="actions">
      <CopyCurl query={query} />
      <Save query={query} format={formatsOf(query.path).includes("csv") ? "csv" : "json"} />
    </div>
  );
}

/** The names of the SQL files that compute a picture's data. */
export function Source({ files }: { files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <p class="source" title={t().actions.sql}>
      <code>{files.join("  ")}</code>
    </p>
  );
}

function CopyCurl({ query }: { query: Query }) {
  const [result, setResult] = useState<"copied" | "notCopied" | undefined>();
  const copy = async (): Promise<void> => {
    const copied = await navigator.clipboard?.writeText(curlOf(query)).then(
      () => true,
      () => false,
    );
    setResult(copied ? "copied" : "notCopied");
    setTimeout(() => setResult(undefined), 2000);
  };
  return (
    <>
      <button type="button" class="quiet" onClick={copy} data-curl={curlOf(query)}>
        {result ? t().actions[result] : t().actions.curl}
      </button>
      <span class="unseen" role="status">
        {result && t().actions[result]}
      </span>
    </>
  );
}

/** Downloads the answer in a format as a file. */
export function Save({ query, format }: { query: Query; format: Format }) {
  const [state, setState] = useState<"idle" | "saving" | Failure>("idle");
  const save = (): void => {
    setState("saving");
    download(query, format).then(
      () => setState("idle"),
      (error: unknown) => setState(error instanceof Failure ? error : new Failure("unforeseen", String(error))),
    );
  };
  return (
    <>
      <button type="button" class="quiet" onClick={save} disabled={state === "saving"}>
        {state === "saving" ? t().actions.saving : format.toUpperCase()}
      </button>
      {state instanceof Failure && (
        <span class="save-failed" role="alert">
          {state.message || t().failure[state.kind]}
        </span>
      )}
    </>
  );
}

/** The definitions of the figures from the API document, which is in English. */
export function Definitions({ path, list, names }: { path: string; list?: string; names: readonly string[] }) {
  const fields = fieldsOf(path, list).filter(({ name }) => names.includes(name));
  if (fields.length === 0) return null;
  return (
    <details class="definitions">
      <summary>{t().actions.definitions}</summary>
      <dl>
        {fields.map(({ name, description, formula, nullWhen }) => (
          <div key={name}>
            <dt>
              {t().metric[name] ?? name} <code>{name}</code>
            </dt>
            <dd>
              <span lang="en">{description}</span>
              {formula && (
                <span>
                  {t().definition.formula}: <span lang="en">{formula}</span>
                </span>
              )}
              {nullWhen && nullWhen !== "never" && (
                <span>
                  {t().definition.nullWhen}: <span lang="en">{nullWhen}</span>
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
