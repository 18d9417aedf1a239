import { useState } from "preact/hooks";
import { instant } from "../../format.ts";
import { ofOrganization, read } from "../../platform/request.ts";
import { useChange, useResource } from "../../platform/use.ts";
import { LOCAL } from "../../session.ts";
import { said } from "../../text.ts";
import { log as WORDS } from "../../words/later/log.ts";
import { Loaded, Panel, Refused } from "./parts.tsx";

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly person: string;
  /** Of a command: the system's user. */
  readonly user?: string;
  readonly what: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Undefined: under way, or interrupted. */
  readonly outcome?: "done" | "failed";
  readonly reason?: string;
}

interface Answer {
  readonly data: readonly Entry[];
  readonly hasMore: boolean;
}

const PATH = "log?limit=50";

/** The changes of the organization, the newest first. */
export function Log() {
  const words = said(WORDS);
  const resource = useResource<Answer>(ofOrganization(PATH));
  const [older, setOlder] = useState<Answer>({ data: [], hasMore: true });
  const change = useChange();
  return (
    <Panel title={words.title}>
      <Loaded of={resource}>
        {(first) => {
          const all = [...first.data, ...older.data];
          const hasMore = first.hasMore && older.hasMore;
          const more = async (): Promise<void> => {
            await change.run(async () => {
              const last = encodeURIComponent(all.at(-1)?.id ?? "");
              const { data } = await read<Answer>(ofOrganization(`${PATH}&before=${last}`));
              setOlder({ data: [...older.data, ...data.data], hasMore: data.hasMore });
            });
          };
          return (
            <>
              {all.length === 0 && <p class="note">{words.none}</p>}
              <ol class="settings-rows">
                {all.map((entry) => (
                  <Line key={entry.id} entry={entry} />
                ))}
              </ol>
              <Refused failure={change.failure} retry={() => void more()} />
              {hasMore && (
                <button type="button" disabled={change.isRunning} onClick={() => void more()}>
                  {words.older}
                </button>
              )}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Line({ entry }: { entry: Entry }) {
  const words = said(WORDS);
  const changes = changesOf(entry);
  return (
    <li class={entry.outcome === "done" ? "" : "settings-undone"}>
      <p>
        <strong>{whoOf(entry)}</strong> {sentenceOf(entry)}
      </p>
      {entry.outcome === undefined && <p class="settings-fault">{words.interrupted}</p>}
      {entry.outcome === "failed" && <p class="settings-fault">{words.failed(entry.reason ?? "")}</p>}
      <p class="note">
        <time dateTime={entry.at}>{instant(entry.at)}</time>
      </p>
      {changes.length > 0 && (
        <details>
          <summary>{words.details}</summary>
          <dl class="settings-changes">
            {changes.map(({ place, before, after }) => (
              <div key={place}>
                <dt>
                  <code>{place || words.value}</code>
                </dt>
                <dd>
                  {before === undefined ? <span class="note">{words.nothing}</span> : <del>{before}</del>}
                  {" → "}
                  {after === undefined ? <span class="note">{words.nothing}</span> : <ins>{after}</ins>}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}

function whoOf({ person, user, what }: Entry): string {
  const words = said(WORDS);
  if (what === "settings.file") return words.byHand;
  if (person === "command") return words.command(user ?? "");
  return person === LOCAL ? words.local : person;
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (thing: unknown): Members => (typeof thing === "object" && thing !== null ? (thing as Members) : {});

/** The name of a file that was sent, without the folder that it got. */
const labelOf = (file: unknown): unknown =>
  typeof file === "string" ? file.replace(/^upload-[^/]+\//, "") : undefined;

/** The first of these that is a text. */
const textOf = (...all: readonly unknown[]): string => all.find((one): one is string => typeof one === "string") ?? "";

/** What names a thing that has no name, the first that is there. */
const IDS = ["address", "client_id", "client", "clientId", "pin", "link", "integration", "integrationId", "connector"];

/** What was done, to what. A change that the page has no sentence for is named as the log names it. */
function sentenceOf({ what, before, after }: Entry): string {
  const words = said(WORDS);
  const [was, is] = [membersOf(before), membersOf(after)];
  const integration = membersOf(was.integration);
  const isIn = <T extends object>(texts: T, name: string): name is keyof T & string => Object.hasOwn(texts, name);
  const section = textOf(is.section);
  const role = textOf(is.role);
  const subject =
    what === "settings.change"
      ? isIn(words.sections, section)
        ? words.sections[section]
        : section
      : textOf(
          is.email,
          was.email,
          is.name,
          was.name,
          integration.name,
          integration.connector,
          is.connector,
          labelOf(is.file),
        ) || textOf(...IDS.flatMap((name) => [is[name], was[name]]));
  const shownRole = isIn(words.roles, role) ? words.roles[role] : role;
  return isIn(words.sentences, what) ? words.sentences[what](subject, shownRole) : words.other(what, subject);
}

interface Changed {
  readonly place: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The most places that a line of the log shows. */
const MOST = 40;

/** The places of a section or a connection that have another value than before. */
function changesOf({ what, before, after }: Entry): Changed[] {
  if (what === "settings.change") return differences(membersOf(before).value, membersOf(after).value).slice(0, MOST);
  if (what === "settings.file") return differences(before, after).slice(0, MOST);
  if (what !== "connections.change") return [];
  const { integration: _, ...fields } = membersOf(after);
  const was = membersOf(membersOf(before).integration);
  return Object.keys(fields)
    .flatMap((name) => differences(was[name] ?? undefined, fields[name] ?? undefined, name))
    .slice(0, MOST);
}

function differences(before: unknown, after: unknown, place = ""): Changed[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const areBoth = [before, after].every((one) => typeof one === "object" && one !== null);
  if (!areBoth) return [{ place, before: written(before), after: written(after) }];
  const [was, is] = [before as Members, after as Members];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
    differences(was[name], is[name], place === "" ? name : `${place}.${name}`),
  );
}

const written = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === "string" ? value : JSON.stringify(value);
