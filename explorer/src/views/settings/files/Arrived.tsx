import { useEffect, useState } from "preact/hooks";
import { EmptySmall } from "../../../components/EmptySmall.tsx";
import { instant, range } from "../../../format.ts";
import { add, ofOrganization, read } from "../../../platform/request.ts";
import { useChange } from "../../../platform/use.ts";
import { organization } from "../../../session.ts";
import { said } from "../../../text.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { Failed } from "../failed.tsx";
import { Part, SelectField } from "../fields.tsx";
import { Confirm } from "../parts.tsx";
import { Progress } from "../progress.tsx";
import { recordName, rowsText, vendorName } from "./names.ts";
import { settledDetail } from "./sending.ts";
import type { ArrivedPage, Arrived as File } from "./types.ts";

/** What has landed of each source, file by file, with the way back. */
export function Arrived({ version, changed }: { version: number; changed: () => void }) {
  const words = said(FILES);
  const sources = organization.value?.connectors ?? [];
  const [source, setSource] = useState(sources[0]?.integrationId ?? "");
  const [files, setFiles] = useState<readonly File[] | undefined>();
  const [before, setBefore] = useState<number | null>(null);
  const loading = useChange();
  const acting = useChange();
  const home = ofOrganization(`integrations/${source}/files`);
  const load = (from?: number): Promise<boolean> =>
    loading.run(async () => {
      const { data } = await read<ArrivedPage>(from === undefined ? home : `${home}?before=${from}`);
      setFiles((earlier) => (from === undefined ? data.files : [...(earlier ?? []), ...data.files]));
      setBefore(data.before);
    });
  useEffect(() => {
    if (source === "") return;
    setFiles(undefined);
    void load();
  }, [source, version]);
  const act = (one: File, what: "undo" | "again"): Promise<boolean> =>
    acting.run(async () => {
      const { record, file, landing } = one;
      const { id } = await add<{ id?: string }>(`${home}/${what}`, { record, file, landing });
      if (id !== undefined) await settledDetail(id, () => {});
      await load();
      changed();
    });
  if (sources.length === 0) return null;
  return (
    <Part
      name="received"
      title={words.received}
      lead={words.receivedLead}
      tools={
        sources.length > 1 && (
          <SelectField
            label={words.source}
            value={source}
            options={sources.map(
              ({ integrationId, name, connector }) => [integrationId, name ?? vendorName(connector)] as const,
            )}
            change={setSource}
          />
        )
      }
    >
      {loading.failure && <Failed failure={loading.failure} retry={() => void load()} />}
      {acting.failure && <Failed failure={acting.failure} />}
      {!files && !loading.failure && <p class="skeleton skeleton-small" />}
      {files?.length === 0 && <EmptySmall>{words.noFiles}</EmptySmall>}
      {acting.isRunning && <Progress label={words.steps.deriving} />}
      <ul class="setting-rows">
        {files?.map((one) => (
          <li key={`${one.file} ${one.landing}`} data-arrived={one.file} class={one.revokedAt ? "is-ended" : ""}>
            <div>
              <strong class="upload-name">{nameOf(one.file)}</strong>
              <p class="muted">
                {[
                  recordName(one.record),
                  rowsText(one.rows),
                  one.firstDay && one.lastDay ? range(one.firstDay, one.lastDay) : "",
                  one.landedAt ? instant(one.landedAt) : "",
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
              {one.replaced && !one.revokedAt && (
                <p class="cost-unsaid" data-replaced>
                  {words.knownReplaced(rowsText(one.replaced.rows), nameOf(one.replaced.by))}
                </p>
              )}
              {one.revokedAt && <span class="chip">{words.countsNot}</span>}
            </div>
            <div class="setting-tools">
              {one.replaced && !one.revokedAt && (
                <button type="button" disabled={acting.isRunning} onClick={() => void act(one, "again")}>
                  {words.countAgain}
                </button>
              )}
              {!one.revokedAt && (
                <Confirm
                  text={words.undo}
                  of={nameOf(one.file)}
                  question={words.undoSure}
                  isDisabled={acting.isRunning}
                  act={() => void act(one, "undo")}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {before !== null && (
        <button type="button" class="link" disabled={loading.isRunning} onClick={() => void load(before)}>
          {words.more}
        </button>
      )}
    </Part>
  );
}

/** The name that a file came with: the service puts a time and an id before those that were dropped on the page. */
const nameOf = (file: string): string => file.split("/").at(-1) ?? file;
