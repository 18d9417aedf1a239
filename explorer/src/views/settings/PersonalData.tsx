import { useEffect, useState } from "preact/hooks";
import { Banner } from "../../components/Banner.tsx";
import { fileName } from "../../fileName.ts";
import { figure, instant } from "../../format.ts";
import { add, ofOrganization, read, removeNow } from "../../platform/request.ts";
import { type Change, type Resource, useChange, useResource } from "../../platform/use.ts";
import { save } from "../../save.ts";
import { organization } from "../../session.ts";
import { said } from "../../text.ts";
import { personalData as WORDS } from "../../words/later/personalData.ts";
import { Confirm, Form, Loaded, Panel, Refused } from "./parts.tsx";
import { Progress } from "./progress.tsx";
import { renewed } from "./renewed.ts";

type Words = (typeof WORDS)["pt"];
type Way = keyof Words["namedBy"];

interface Order {
  readonly integrationId: string;
  readonly orderId: string;
}

interface Found {
  readonly id: string;
  readonly isSearching: false;
  readonly places: readonly { readonly place: keyof Words["foundIn"]; readonly files: number; readonly rows: number }[];
  readonly orders: readonly Order[];
  readonly otherOrders: readonly Order[];
  readonly unread: readonly Unread[];
  /** How many rows the data have. */
  readonly rows: number;
}

interface Unread {
  readonly file: string;
  readonly reason: string;
}

interface Erasures {
  readonly data: readonly { readonly no: number; readonly at: string; readonly doneAt: string | null }[];
  /** The one that the service began last. */
  readonly last: {
    readonly id: string;
    readonly progress: { readonly step: keyof Words["erasingSteps"] } | null;
    readonly done: { readonly numbers: readonly number[]; readonly unread: readonly Unread[] } | null;
    readonly reason: string | null;
  } | null;
}

interface Asked {
  readonly by: Way;
  readonly value: string;
  readonly with?: boolean;
}

/** How often it is asked how far an erasure is. */
const POLL_MS = 1_500;
/** How many orders are named. */
const MOST_NAMED = 10;

const searchAt = (id: string): string => ofOrganization(`customers/searches/${encodeURIComponent(id)}`);
const count = (n: number): string => figure(n, "count");

const isUnderWay = ({ last }: Erasures): boolean => last !== null && last.done === null && last.reason === null;

/** Where the data of a customer are, the data themselves, and erasing them [D98]. */
export function PersonalData() {
  const erasures = useResource<Erasures>(ofOrganization("customers/erasures"));
  const [asked, setAsked] = useState<Asked | undefined>();
  const [found, setFound] = useState<Found | undefined>();
  const change = useChange();
  const search = async (wanted: Asked): Promise<void> => {
    const before = found;
    setFound(undefined);
    setAsked(wanted);
    // What was found before is forgotten at once, not only after its time.
    if (before) await removeNow(searchAt(before.id)).catch(() => {});
    await change.run(async () => setFound(await searched(wanted)));
  };
  const isRunning = erasures.data !== undefined && isUnderWay(erasures.data);
  useEffect(() => {
    if (!isRunning) return;
    setFound(undefined);
    const timer = setInterval(() => void erasures.reload(), POLL_MS);
    return () => {
      clearInterval(timer);
      void renewed();
    };
  }, [isRunning]);
  return (
    <>
      <SearchForm change={change} search={search} isDisabled={isRunning} />
      {found && asked && <FoundPanel key={found.id} found={found} asked={asked} search={search} erasures={erasures} />}
      <Loaded of={erasures}>
        {(all) => (
          <>
            <Last last={all.last} />
            <List data={all.data} isRunning={isRunning} reload={erasures.reload} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** The e-mail goes in the body: an address would be in logs. */
async function searched(wanted: Asked): Promise<Found> {
  type Answer = Found | { readonly id: string; readonly isSearching: true };
  let answer = await add<Answer>(ofOrganization("customers/searches"), wanted);
  while (answer.isSearching) ({ data: answer } = await read<Answer>(searchAt(answer.id)));
  return answer;
}

interface SearchProps {
  readonly change: Change;
  readonly search: (wanted: Asked) => Promise<void>;
  readonly isDisabled: boolean;
}

function SearchForm({ change, search, isDisabled }: SearchProps) {
  const words = said(WORDS);
  const [by, setBy] = useState<Way>("email");
  const [value, setValue] = useState("");
  return (
    <Panel title={words.search} lead={words.searchLead}>
      <Form
        change={change}
        submit={() => void search({ by, value: value.trim() })}
        button={change.isRunning ? words.searching : words.find}
        canSave={value.trim() !== "" && !isDisabled}
      >
        <Refused failure={change.failure} />
        <div class="settings-fields">
          <label class="field">
            <span>{words.by}</span>
            <select name="by" value={by} onChange={({ currentTarget }) => setBy(currentTarget.value as Way)}>
              {(Object.keys(words.namedBy) as Way[]).map((way) => (
                <option key={way} value={way}>
                  {words.namedBy[way]}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{words.value}</span>
            <input
              name="value"
              inputMode={by === "email" ? "email" : "text"}
              value={value}
              required
              maxLength={320}
              autocomplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => setValue(currentTarget.value)}
            />
          </label>
        </div>
      </Form>
      {change.isRunning && <Progress label={words.searching} />}
    </Panel>
  );
}

const namesOf = (orders: readonly Order[], words: Words): string => {
  const named = orders.slice(0, MOST_NAMED).map(({ orderId }) => orderId);
  const more = orders.length - named.length;
  return [...named, ...(more > 0 ? [words.andMore(count(more))] : [])].join(", ");
};

interface FoundProps {
  readonly found: Found;
  readonly asked: Asked;
  readonly search: (wanted: Asked) => Promise<void>;
  readonly erasures: Resource<Erasures>;
}

function FoundPanel({ found, asked, search, erasures }: FoundProps) {
  const words = said(WORDS);
  const change = useChange();
  const places = found.places.filter(({ files }) => files > 0);
  const download = (): Promise<boolean> =>
    change.run(async () => {
      const { data } = await read<object>(`${searchAt(found.id)}/data`);
      const text = JSON.stringify(data, null, 2);
      save(
        new Blob([text], { type: "application/json" }),
        `${fileName(organization.value?.name, words.fileName, {})}.json`,
      );
    });
  const erase = async (): Promise<void> => {
    await change.run(() => add(`${searchAt(found.id)}/erasure`, {}));
    await erasures.reload();
  };
  return (
    <Panel title={words.found}>
      {places.length === 0 && found.unread.length === 0 ? (
        <p role="status">{words.nothing}</p>
      ) : (
        <>
          <div class="effect-table">
            <table data-found>
              <thead>
                <tr>
                  <th scope="col">{words.place}</th>
                  <th scope="col">{words.files}</th>
                  <th scope="col">{words.rows}</th>
                </tr>
              </thead>
              <tbody>
                {places.map(({ place, files, rows }) => (
                  <tr key={place}>
                    <th scope="row">{words.foundIn[place]}</th>
                    <td>{count(files)}</td>
                    <td>{count(rows)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p>{words.orders(count(found.orders.length), namesOf(found.orders, words))}</p>
          {found.otherOrders.length > 0 && (
            <p>
              {words.others(count(found.otherOrders.length), namesOf(found.otherOrders, words))}{" "}
              <button type="button" onClick={() => void search({ ...asked, with: true })}>
                {words.withOthers}
              </button>
            </p>
          )}
          <UnreadList unread={found.unread} />
          <Refused failure={change.failure} />
          <p class="note">{words.downloadHint}</p>
          <div class="settings-actions">
            <button type="button" disabled={change.isRunning || found.rows === 0} onClick={() => void download()}>
              {words.download}
            </button>
            <Confirm
              text={words.erase}
              question={words.eraseAsk}
              isDisabled={change.isRunning}
              act={() => void erase()}
            />
          </div>
        </>
      )}
    </Panel>
  );
}

function UnreadList({ unread }: { unread: readonly Unread[] }) {
  const words = said(WORDS);
  if (unread.length === 0) return null;
  return (
    <Banner tone="warn">
      <p>{words.unread}</p>
      <ul>
        {unread.map(({ file, reason }) => (
          <li key={file}>
            <code>{file}</code> {reason}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

/** The erasure that goes on, or how the last one ended. */
function Last({ last }: Pick<Erasures, "last">) {
  const words = said(WORDS);
  if (last === null) return null;
  const { done, reason, progress } = last;
  return (
    <Panel title={words.erasing}>
      {done && (
        <>
          <p role="status" data-erased>
            {words.erased(done.numbers.join(", "))}
          </p>
          <UnreadList unread={done.unread} />
          <p class="note">{words.left}</p>
        </>
      )}
      {reason !== null && (
        <Banner tone="warn">
          <p>{words.failed(reason)}</p>
          <p>{words.failedHint}</p>
        </Banner>
      )}
      {!done && reason === null && (
        <>
          <Progress label={words.erasingSteps[progress?.step ?? "begin"]} />
          <p class="note">{words.goesOn}</p>
        </>
      )}
    </Panel>
  );
}

interface ListProps extends Pick<Erasures, "data"> {
  readonly isRunning: boolean;
  readonly reload: () => Promise<void>;
}

function List({ data, isRunning, reload }: ListProps) {
  const words = said(WORDS);
  const change = useChange();
  const again = async (): Promise<void> => {
    await change.run(() => add(ofOrganization("customers/erasures"), {}));
    await reload();
  };
  return (
    <Panel title={words.erasures} lead={words.erasuresLead}>
      {data.length === 0 ? (
        <p class="note">{words.noErasures}</p>
      ) : (
        <>
          <ul class="settings-rows">
            {data.map(({ no, at, doneAt }) => (
              <li key={no}>
                <strong>{words.number(String(no))}</strong>{" "}
                <span class="note">{doneAt === null ? words.open(instant(at)) : words.begun(instant(at))}</span>
              </li>
            ))}
          </ul>
          <Refused failure={change.failure} />
          <Confirm
            text={words.again}
            question={words.againAsk}
            isDisabled={isRunning || change.isRunning}
            act={() => void again()}
          />
        </>
      )}
    </Panel>
  );
}
