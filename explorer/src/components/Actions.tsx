import { useState } from "preact/hooks";
import { type Asked, curlOf, download, Failure, type Format } from "../api.ts";
import { fieldsOf, formatsOf } from "../openapi.ts";
import { t } from "../text.ts";

/** How to get what a picture shows without the picture: as a command, and as a file. */
export function Actions({ asked }: { asked: Asked }) {
  return (
    <div class="actions">
      <CopyCurl asked={asked} />
      <Save asked={asked} format={formatsOf(asked.path).includes("csv") ? "csv" : "json"} />
    </div>
  );
}

/** The SQL behind a picture, by the names of its files. */
export function Source({ files }: { files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <p class="source" title={t().actions.sql}>
      <code>{files.join("  ")}</code>
    </p>
  );
}

function CopyCurl({ asked }: { asked: Asked }) {
  const [result, setResult] = useState<"copied" | "notCopied" | undefined>();
  const copy = async (): Promise<void> => {
    const copied = await navigator.clipboard?.writeText(curlOf(asked)).then(
      () => true,
      () => false,
    );
    setResult(copied ? "copied" : "notCopied");
    setTimeout(() => setResult(undefined), 2000);
  };
  return (
    <>
      <button type="button" class="quiet" onClick={copy} data-curl={curlOf(asked)}>
        {result ? t().actions[result] : t().actions.curl}
      </button>
      <span class="unseen" role="status">
        {result && t().actions[result]}
      </span>
    </>
  );
}

/** Fetches the answer in a format, and hands it to the browser as a file. */
export function Save({ asked, format }: { asked: Asked; format: Format }) {
  const [state, setState] = useState<"idle" | "saving" | Failure>("idle");
  const save = (): void => {
    setState("saving");
    download(asked, format).then(
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

/** What the figures are, in the words of the API document, which are English. */
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
