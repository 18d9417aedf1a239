import { useEffect, useState } from "preact/hooks";
import { share } from "../../../format.ts";
import { ofOrganization } from "../../../platform/request.ts";
import { useResource } from "../../../platform/use.ts";
import { organization } from "../../../session.ts";
import { said } from "../../../text.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { Failed } from "../failed.tsx";
import { Part } from "../fields.tsx";
import { Progress } from "../progress.tsx";
import { renewed } from "../renewed.ts";
import { Arrived } from "./Arrived.tsx";
import { Drop } from "./Drop.tsx";
import { megabytes } from "./names.ts";
import { arrivals, forget, giveUp, type Sending, sendAll, sendings } from "./sending.ts";
import type { Detail, Upload, Uploads, Wish } from "./types.ts";
import { UploadCard } from "./UploadCard.tsx";

/** Files that people drop on the page: on their way, waiting, and landed. */
export function Files() {
  const [version, setVersion] = useState(0);
  const changed = (): void => {
    setVersion((now) => now + 1);
    void renewed();
  };
  return (
    <>
      <Part name="drop" title={said(FILES).title} lead={said(FILES).lead}>
        <Drop take={(files) => void sendAll(files)} />
      </Part>
      <Going changed={changed} />
      <Arrived key={organization.value?.connectors.length} version={version} changed={changed} />
    </>
  );
}

/** The files that are being sent, and those that wait or have landed from here. */
export function Going({ changed, fallback }: { changed: (landed?: Detail) => void; fallback?: Wish | undefined }) {
  const words = said(FILES);
  const { data, failure, reload } = useResource<Uploads>(ofOrganization("uploads"));
  const seen = arrivals.value;
  useEffect(() => {
    if (seen > 0) void reload();
  }, [seen]);
  const sending = sendings.value;
  const waiting = (data?.data ?? []).filter(({ id }) => !sending.some((one) => one.id === id));
  if (failure && !data) return <Failed failure={failure} retry={() => void reload()} />;
  if (sending.length === 0 && waiting.length === 0) return null;
  return (
    <Part name="going" title={words.going}>
      <ul class="uploads">
        {sending.map((one) => (
          <SendingCard key={one.key} sending={one} />
        ))}
        {waiting.map((one) =>
          one.state === "receiving" ? (
            <Broken key={one.id} upload={one} />
          ) : (
            <UploadCard
              key={one.id}
              upload={one}
              fallback={fallback}
              changed={(landed) => {
                void reload();
                changed(landed);
              }}
            />
          ),
        )}
      </ul>
    </Part>
  );
}

function SendingCard({ sending }: { sending: Sending }) {
  const words = said(FILES);
  const { name, bytes, sent, state, failure } = sending;
  return (
    <li class="upload" data-upload={name} data-state={state}>
      <header class="upload-head">
        <strong class="upload-name">{name}</strong>
        <span class="muted">{megabytes(bytes)}</span>
        <span class="chip">{state === "refused" ? words.states.failed : words.states.sending}</span>
      </header>
      {state !== "refused" && (
        <Progress label={words.sending(share(sent / Math.max(1, bytes)))} part={sent / Math.max(1, bytes)} />
      )}
      {state === "paused" && <p class="cost-unsaid">{words.paused}</p>}
      {state === "waiting" && <p class="cost-unsaid">{words.limited}</p>}
      {failure && <Failed failure={failure} />}
      <footer class="settings-actions">
        <button
          type="button"
          aria-label={state === "refused" ? words.hideOf(name) : words.cancelOf(name)}
          onClick={() => void (state === "refused" ? forget(sending.key) : giveUp(sending))}
        >
          {state === "refused" ? words.hide : words.cancel}
        </button>
      </footer>
    </li>
  );
}

/** A file of which only a part has arrived, from a page that was closed. */
function Broken({ upload }: { upload: Upload }) {
  const words = said(FILES);
  const { id, name, bytes, received } = upload;
  return (
    <li class="upload" data-upload={name} data-state="broken">
      <header class="upload-head">
        <strong class="upload-name">{name}</strong>
        <span class="muted">{megabytes(bytes)}</span>
      </header>
      <p>{words.broken(share(received / Math.max(1, bytes)))}</p>
      <footer class="settings-actions">
        <button
          type="button"
          aria-label={words.discardOf(name)}
          onClick={() =>
            void giveUp({ key: id, home: ofOrganization("uploads"), name, bytes, sent: received, state: "refused", id })
          }
        >
          {words.discard}
        </button>
      </footer>
    </li>
  );
}
