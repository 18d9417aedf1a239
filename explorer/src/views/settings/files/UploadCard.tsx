import { useEffect, useState } from "preact/hooks";
import type { Failure } from "../../../api.ts";
import { instant } from "../../../format.ts";
import { add, ofOrganization, removeNow } from "../../../platform/request.ts";
import { useChange } from "../../../platform/use.ts";
import { hashOf } from "../../../route.ts";
import { said } from "../../../text.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { Failed } from "../failed.tsx";
import { Choice, SelectField } from "../fields.tsx";
import { labelOf } from "../parts.tsx";
import { Progress } from "../progress.tsx";
import { likelyZone } from "../zones.ts";
import { isOwnOrders, megabytes, rowsText, sourceOf, vendorName } from "./names.ts";
import { Preview } from "./Preview.tsx";
import { NewSource, Questions } from "./Questions.tsx";
import { persistently, settledDetail } from "./sending.ts";
import type { Detail, Look, Upload, Wish } from "./types.ts";

interface Props {
  readonly upload: Upload;
  /** It has landed, is undone or gone: the list, and what has landed, are others now. */
  readonly changed: (landed?: Detail) => void;
  /** What it is, if nothing else is recognized. */
  readonly fallback?: Wish | undefined;
}

/** A file that has arrived: what it is, what would become of it, and the buttons for that. */
export function UploadCard({ upload, changed, fallback }: Props) {
  const words = said(FILES);
  const [detail, setDetail] = useState<Detail | undefined>();
  const [instead, setInstead] = useState<"addition" | "instead">("addition");
  const [isSure, setSure] = useState(false);
  const change = useChange();
  const path = `${ofOrganization("uploads")}/${upload.id}`;
  const shown: Upload = detail ?? upload;
  const { name, state, busy } = shown;
  const look = detail?.look ?? null;
  const wish = detail?.wish ?? {};

  const follow = async (): Promise<Detail> => settledDetail(upload.id, setDetail);
  const lookAt = async (asked: Wish): Promise<Detail> => {
    setDetail(await persistently(() => add<Detail>(`${path}/look`, asked)));
    return follow();
  };
  const looked = (asked: Wish): Promise<boolean> => change.run(() => lookAt(asked));
  const firstLook = async (): Promise<void> => {
    // Without a time zone the orders of a new store would fall on the days of UTC.
    const { look: found } = await lookAt({ timezone: likelyZone() });
    if (found && fallback && (mayBeOrders(found) || isOwnOrders(found))) await lookAt(fallback);
  };
  useEffect(() => {
    if (upload.state === "received" && upload.busy === null) void change.run(firstLook);
    else void change.run(follow);
  }, [upload.id]);

  const land = (): Promise<boolean> =>
    change.run(async () => {
      await persistently(() => add(`${path}/landing`, { look: look?.id }));
      const done = await follow();
      if (done.state === "landed" && instead === "instead") await revokeOthers(look, done);
      changed(done);
    });
  const discard = (): Promise<boolean> =>
    change.run(async () => {
      await removeNow(path);
      changed();
    });
  const undo = (): Promise<boolean> =>
    change.run(async () => {
      setSure(false);
      await add(`${path}/undo`, {});
      changed(await follow());
    });

  const canLand =
    look !== null && ["ready", "again"].includes(look.outcome) && ["recognized", "failed"].includes(state);
  const isBusy = change.isRunning || busy !== null;
  const others = look?.amounts?.others ?? [];
  return (
    <li class={`upload is-${stateOf(shown, look)}`} data-upload={name} data-state={stateOf(shown, look)}>
      <header class="upload-head">
        <strong class="upload-name">{name}</strong>
        <span class="muted">{megabytes(shown.bytes)}</span>
        <span class={`chip ${CHIPS[stateOf(shown, look)] ?? ""}`}>{words.states[stateOf(shown, look)]}</span>
      </header>
      {busy === "looking" && <Progress label={words.lookingLong} />}
      {(busy === "landing" || state === "landing") && (
        <>
          <Progress label={words.steps[detail?.progress?.step ?? "waiting"]} />
          <p class="note">{words.leaveOpen}</p>
        </>
      )}
      {busy === "undoing" && <Progress label={words.undoing} />}
      {look && !["landed", "undone", "landing"].includes(state) && busy === null && (
        <>
          {SAYS(look)}
          <Preview look={look} />
          <Target look={look} wish={wish} say={(asked) => void looked(asked)} />
          <Questions look={look} wish={wish} say={(asked) => void looked(asked)} isBusy={isBusy} />
          {canLand && others.length > 0 && (
            <Choice
              legend={words.otherQuestion}
              value={instead}
              options={[
                ["addition", words.inAddition],
                ["instead", words.instead(others.map(({ file }) => file).join(", "))],
              ]}
              change={setInstead}
            />
          )}
        </>
      )}
      {state === "landed" && shown.landed && (
        <p class="upload-landed">
          {shown.landed.rejected > 0
            ? words.landedRejected(rowsText(shown.landed.rows), rowsText(shown.landed.rejected))
            : words.landed(rowsText(shown.landed.rows))}{" "}
          <a href={hashOf("overview")}>{words.seeFigures}</a>
        </p>
      )}
      {state === "undone" && <p>{words.undone}</p>}
      {state === "failed" && (
        <div class="setting-failed" role="alert">
          <p>
            <strong>{words.failed}</strong> {shown.reason}
          </p>
        </div>
      )}
      {change.failure && <Failed failure={change.failure} retry={retryOf(change.failure, () => void looked(wish))} />}
      {isSure && (
        <div class="setting-warning">
          <p>{words.undoSure}</p>
          <div class="settings-actions">
            <button type="button" class="danger" onClick={() => void undo()}>
              {words.undoNow}
            </button>
            <button type="button" onClick={() => setSure(false)}>
              {words.cancel}
            </button>
          </div>
        </div>
      )}
      <footer class="settings-actions">
        {canLand && (
          <button
            type="button"
            class={look && countsNothing(look) ? "" : "primary"}
            disabled={isBusy}
            aria-label={look?.outcome === "again" ? labelOf(words.landAgain, name) : words.landOf(name)}
            onClick={() => void land()}
          >
            {look?.outcome === "again" ? words.landAgain : words.land}
          </button>
        )}
        {state === "landed" && !isSure && (
          <button type="button" disabled={isBusy} aria-label={words.undoOf(name)} onClick={() => setSure(true)}>
            {words.undo}
          </button>
        )}
        {["received", "recognized", "failed", "receiving"].includes(state) && (
          <button type="button" disabled={isBusy} aria-label={words.discardOf(name)} onClick={() => void discard()}>
            {words.discard}
          </button>
        )}
        {["landed", "undone"].includes(state) && (
          <button
            type="button"
            class="quiet"
            disabled={isBusy}
            aria-label={words.hideOf(name)}
            onClick={() => void discard()}
          >
            {words.hide}
          </button>
        )}
        {shown.expiresAt && state !== "landed" && (
          <small class="muted">{words.expires(instant(shown.expiresAt))}</small>
        )}
      </footer>
    </li>
  );
}

/** Whether orders would land, but none would count. */
const countsNothing = ({ orders, rows }: Look): boolean => rows > 0 && orders?.counted === 0;

/** Whether a file that is not recognized may be a table of orders: nothing else is likelier. */
const mayBeOrders = ({ outcome, records, likely, headings }: Look): boolean =>
  outcome === "choose"
    ? records.some(({ record }) => record === "orders")
    : outcome === "unknown" &&
      headings !== null &&
      !likely.some(({ record, share }) => record !== "orders" && share >= LIKELY);

/** So much of another record's columns says that a table is that. */
const LIKELY = 0.75;

type Shown = keyof ReturnType<typeof statesOf>;
const statesOf = () => said(FILES).states;

/** What a file waits for, in one word. */
function stateOf({ state, busy }: Upload, look: Look | null): Shown {
  if (busy === "looking" || (state === "received" && look === null)) return "looking";
  if (state === "receiving") return "sending";
  if (state === "landing" || state === "landed" || state === "failed" || state === "undone") return state;
  if (look === null) return "waiting";
  if (look.asks !== null || countsNothing(look) || look.unknownItems.length > 0) return "question";
  if (look.outcome === "ready" || look.outcome === "again") return "ready";
  if (look.outcome === "known" || look.outcome === "refused") return look.outcome;
  return "question";
}

const CHIPS: Readonly<Partial<Record<Shown, string>>> = {
  ready: "ready",
  landed: "ready",
  refused: "error",
  failed: "error",
  question: "pending",
};

/** What the look found, if it is not simply ready. */
function SAYS(look: Look) {
  const words = said(FILES);
  const { outcome, known, reason } = look;
  if (outcome === "known" && known) return <p>{words.knownAll(known.file)}</p>;
  if (outcome === "again" && known?.replaced)
    return (
      <p>
        <strong>{words.knownReplaced(rowsText(known.replaced.rows), known.replaced.by)}</strong> {words.againHint}
      </p>
    );
  if (outcome === "unknown") return <p>{words.unknown}</p>;
  if (outcome === "refused" && look.asks === null)
    return (
      <p>
        <strong>{words.refused}</strong> {reason}
      </p>
    );
  return null;
}

/** Where it lands: the only source of its kind, one of several, or a new one. */
function Target({ look, wish, say }: { look: Look; wish: Wish; say: (wish: Wish) => void }) {
  const words = said(FILES);
  const { outcome, connector, integrations, integration } = look;
  if (connector === null || !["ready", "again", "map"].includes(outcome)) return null;
  if (integration === null) return <NewSource key={look.id} look={look} wish={wish} say={say} />;
  const there = integrations.find((one) => one.integration === integration);
  if (integrations.length < 2)
    return (
      <p>
        {words.target}: <strong>{there?.name ?? sourceOf(look)}</strong>
      </p>
    );
  return (
    <SelectField
      label={words.target}
      value={integration}
      options={integrations.map((one) => [one.integration, one.name ?? vendorName(connector)] as const)}
      change={(chosen) => say({ ...wish, integration: chosen })}
    />
  );
}

/** The files that the landed one takes the place of count no more. */
async function revokeOthers(look: Look | null, { landed }: Detail): Promise<void> {
  if (!landed) return;
  for (const { file, landing } of look?.amounts?.others ?? [])
    await add(ofOrganization(`integrations/${landed.integration}/files/undo`), {
      record: landed.record,
      file,
      landing,
    });
}

const retryOf = (failure: Failure, act: () => void): (() => void) | undefined =>
  ["network", "busy", "limited", "unforeseen"].includes(failure.kind) ? act : undefined;
