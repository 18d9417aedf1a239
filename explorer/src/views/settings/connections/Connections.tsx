import { useState } from "preact/hooks";
import { EmptySmall } from "../../../components/EmptySmall.tsx";
import { filterStores, storeName } from "../../../filter.ts";
import { day, figure, instant } from "../../../format.ts";
import { add, ofOrganization, removeNow } from "../../../platform/request.ts";
import { useChange, useResource } from "../../../platform/use.ts";
import { arg, settingsAt } from "../../../route.ts";
import { ADS } from "../../../session.ts";
import { said, t } from "../../../text.ts";
import { connections as CONNECTIONS } from "../../../words/later/connections.ts";
import { Failed } from "../failed.tsx";
import { Part, useField } from "../fields.tsx";
import { Confirm } from "../parts.tsx";
import { renewed } from "../renewed.ts";
import { ConnectionForm } from "./ConnectionForm.tsx";
import { KeysForm } from "./KeysForm.tsx";
import { NewConnection } from "./NewConnection.tsx";
import type { Connection, Integration, Keys } from "./types.ts";

const homeOf = ({ id }: Integration): string => ofOrganization(`connections/${id}`);

/** What people call a source. */
const nameOf = ({ name, connector }: Integration): string => name ?? said(CONNECTIONS).vendors[connector] ?? connector;

/** Stores, ads and other sources: what arrived when, what is missing, and what can be done about it. */
export function Connections() {
  const words = said(CONNECTIONS);
  const { data, failure, reload } = useResource<{ data: readonly Connection[] }>(ofOrganization("connections"));
  const [isAdding, setAdding] = useState(false);
  const change = useChange();
  const changed = async (): Promise<void> => {
    await reload();
    await renewed();
  };
  if (failure && !data) return <Failed failure={failure} retry={() => void reload()} />;
  if (!data) return <p class="skeleton skeleton-large" />;
  const present = data.data.filter(({ isRemoved }) => !isRemoved);
  const removed = data.data.filter(({ isRemoved }) => isRemoved);
  const putBack = (integration: Integration): Promise<boolean> =>
    change.run(async () => {
      await add(ofOrganization("connections"), { id: integration.id });
      await changed();
    });
  return (
    <>
      <Part
        name="connections"
        title={words.list}
        tools={
          !isAdding && (
            <button type="button" onClick={() => setAdding(true)}>
              {words.add}
            </button>
          )
        }
      >
        {isAdding && (
          <NewConnection
            done={() => {
              setAdding(false);
              void changed();
            }}
            close={() => setAdding(false)}
          />
        )}
        {present.length === 0 && !isAdding && <EmptySmall>{words.none}</EmptySmall>}
        <ul class="setting-rows">
          {present.map((one) => (
            <Row key={one.integration.id} connection={one} changed={() => void changed()} />
          ))}
        </ul>
      </Part>
      {removed.length > 0 && (
        <Part name="removed" title={words.removed} lead={words.removedLead}>
          {change.failure && <Failed failure={change.failure} />}
          <ul class="setting-rows">
            {removed.map(({ integration }) => (
              <li key={integration.id} data-removed={nameOf(integration)}>
                <div>
                  <strong>{nameOf(integration)}</strong>
                  <p class="muted">{words.vendors[integration.connector]}</p>
                </div>
                <button
                  type="button"
                  disabled={change.isRunning}
                  aria-label={words.putBackOf(nameOf(integration))}
                  onClick={() => void putBack(integration)}
                >
                  {words.putBack}
                </button>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

function Row({ connection, changed }: { connection: Connection; changed: () => void }) {
  const words = said(CONNECTIONS);
  const { integration, canBePulled, arrived, scheduleWords } = connection;
  const isAsked = arg("field") === integration.id;
  const [opened, setOpened] = useState<"fields" | "keys" | undefined>(isAsked ? "fields" : undefined);
  const place = useField(integration.id);
  const change = useChange();
  const path = homeOf(integration);
  const name = nameOf(integration);
  const done = (isChanged: boolean): void => {
    setOpened(undefined);
    if (isChanged) changed();
  };
  return (
    <li
      ref={(item) => {
        place.current = item;
      }}
      class="connection"
      data-connection={name}
    >
      <div>
        <h4 tabIndex={isAsked ? -1 : undefined}>{name}</h4>
        <p class="muted">{words.vendors[integration.connector]}</p>
        <p>{arrivedText(connection)}</p>
        {arrived && arrived.missing.length > 0 && (
          <p class="muted">
            {words.missing(arrived.missing.map((record) => t().data.records[record] ?? record).join(", "))}
          </p>
        )}
        {arrived?.lastSync?.outcome === "failed" && arrived.lastSync.reason && (
          <p class="cost-unsaid">{words.failed(arrived.lastSync.reason)}</p>
        )}
        <p class="muted">
          {integration.schedule === null
            ? words.byHand
            : scheduleWords
              ? words.scheduled(scheduleWords.charAt(0).toLocaleLowerCase() + scheduleWords.slice(1))
              : words.scheduledPlain}
        </p>
        <StoresOf integration={integration} />
        {canBePulled && <KeysState path={path} isPulled={integration.pull !== null} />}
        {arrived?.records.some(({ files }) => files > 0) && <Records arrived={arrived} />}
      </div>
      <div class="setting-tools">
        <a href={settingsAt("files")}>{words.send}</a>
        {canBePulled && (
          <button
            type="button"
            aria-label={words.keysOf(name)}
            onClick={() => setOpened(opened === "keys" ? undefined : "keys")}
          >
            {words.keys}
          </button>
        )}
        <button
          type="button"
          aria-label={words.alterOf(name)}
          onClick={() => setOpened(opened === "fields" ? undefined : "fields")}
        >
          {words.alter}
        </button>
        <Confirm
          text={words.remove}
          of={name}
          question={words.removeSure}
          isDisabled={change.isRunning}
          act={() =>
            void change.run(async () => {
              await removeNow(path);
              changed();
            })
          }
        />
      </div>
      {change.failure && <Failed failure={change.failure} />}
      {opened === "fields" && <ConnectionForm connection={connection} path={path} done={done} />}
      {opened === "keys" && <KeysForm connection={connection} path={path} done={done} />}
    </li>
  );
}

/** Until when there are data, and when they came. */
function arrivedText({ arrived }: Connection): string {
  const words = said(CONNECTIONS);
  if (!arrived) return words.unknown;
  if (arrived.lastLandedAt === null) return words.nothing;
  const newest = arrived.records
    .flatMap(({ newestDay }) => newestDay ?? [])
    .sort()
    .at(-1);
  const waiting = arrived.records.reduce((sum, one) => sum + one.waiting, 0);
  const text = [
    newest === undefined ? "" : words.until(day(newest)),
    words.landed(instant(arrived.lastLandedAt)),
    waiting > 0 ? words.waiting(figure(waiting, "count")) : "",
  ]
    .filter(Boolean)
    .join(" · ");
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Whose spend an ad account has, where there are several stores. */
function StoresOf({ integration: { connector, stores } }: { integration: Integration }) {
  const words = said(CONNECTIONS);
  if (!ADS.includes(connector) || filterStores.value.length < 2) return null;
  if (stores === null) return <p class="cost-unsaid">{words.noStores}</p>;
  return <p class="muted">{words.spendsFor(stores.map(storeName).join(", "))}</p>;
}

/** Whether the vendor can be asked. */
function KeysState({ path, isPulled }: { path: string; isPulled: boolean }) {
  const words = said(CONNECTIONS);
  const { data } = useResource<Keys>(isPulled ? `${path}/keys` : undefined);
  if (!isPulled || !data) return null;
  if (data.isAskedAgain) return <p class="cost-unsaid">{words.keysAgain}</p>;
  if (!data.isComplete) return <p class="cost-unsaid">{words.noKeys}</p>;
  return (
    <p class="muted">
      {words.hasKeys(instant(data.setAt ?? ""))} {data.endsAt && words.keysEnd(instant(data.endsAt))}
    </p>
  );
}

function Records({ arrived }: { arrived: NonNullable<Connection["arrived"]> }) {
  const words = said(CONNECTIONS);
  return (
    <details class="preview-columns">
      <summary>{words.records}</summary>
      <div class="effect-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.record}</th>
              <th scope="col">{words.newest}</th>
              <th scope="col">{words.when}</th>
              <th scope="col">{words.rows}</th>
            </tr>
          </thead>
          <tbody>
            {arrived.records.map(({ record, newestDay, lastLandedAt, rows }) => (
              <tr key={record}>
                <th scope="row">{t().data.records[record] ?? record}</th>
                <td>{newestDay ? day(newestDay) : "–"}</td>
                <td>{lastLandedAt ? instant(lastLandedAt) : words.never}</td>
                <td>{figure(rows, "count")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
