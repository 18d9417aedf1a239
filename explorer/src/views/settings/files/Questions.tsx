import { useState } from "preact/hooks";
import { said } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { SelectField, TextField } from "../fields.tsx";
import { zoneOptions } from "../zones.ts";
import { Columns } from "./Columns.tsx";
import { recordName, rowsText, sourceOf, vendorName } from "./names.ts";
import { OneDay } from "./OneDay.tsx";
import { isStore, ownOrders, placed } from "./places.ts";
import type { Look, Wish } from "./types.ts";
import { What } from "./What.tsx";

export interface QuestionProps {
  readonly look: Look;
  readonly wish: Wish;
  readonly say: (wish: Wish) => void;
  readonly isBusy: boolean;
}

/** What only a person can say of a file, so that it can land: what it is, which column is which, where it belongs. */
export function Questions(props: QuestionProps) {
  const { look } = props;
  const { outcome } = look;
  const words = said(FILES);
  if (outcome === "map") return <Columns key={look.id} {...props} />;
  if (outcome === "unknown") return <What key={look.id} {...props} />;
  if (look.asks === "campaignsByName") return <ByName {...props} />;
  if (outcome === "choose") return look.record === null ? <WhichRecord {...props} /> : <WhichSource {...props} />;
  const isTable = look.columns !== null && look.columns.length > 0;
  // Often only the column with the day of the payment has another name.
  const isUncounted = look.orders !== null && look.orders.counted === 0;
  const isOpen = outcome === "refused" || (isUncounted && !asksWhetherPaid(look));
  return (
    <>
      {isUncounted && asksWhetherPaid(look) && <AllPaid {...props} />}
      {isTable && (
        <details class="preview-columns" open={isOpen}>
          <summary>{words.mapAgain}</summary>
          <Columns key={look.id} {...props} />
        </details>
      )}
      {look.unknownItems.length > 0 && <Items {...props} />}
      {look.oneDay.length > 0 && <OneDay {...props} />}
      {isUncounted && !asksWhetherPaid(look) && <Uncounted {...props} />}
      {outcome === "refused" && look.reason !== null && /two ways|ambiguous/.test(look.reason) && (
        <Numbers {...props} />
      )}
    </>
  );
}

function WhichRecord({ look, wish, say, isBusy }: QuestionProps) {
  const words = said(FILES);
  // The orders of a shop that is none of the vendors fit both.
  const isOwn = look.headings !== null && look.records.filter((one) => isOrders(one)).length > 1;
  return (
    <div class="setting-form">
      <p>{words.chooseRecord}</p>
      <div class="setting-tools">
        {isOwn && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => say(ownOrders(wish))}>
            {words.ownOrders}
          </button>
        )}
        {look.records.map(({ connector, record, rows }) => (
          <button
            key={`${connector} ${record}`}
            type="button"
            disabled={isBusy}
            onClick={() => say(placed({ ...wish, record }, connector))}
          >
            {words.is(recordName(record), vendorName(connector))}
            {rows > 0 && ` (${rowsText(rows)})`}
          </button>
        ))}
      </div>
    </div>
  );
}

const isOrders = ({ connector, record }: Look["records"][number]): boolean => isStore(connector) && record === "orders";

/** The source that it lands in, of several, or a new one. */
function WhichSource({ look, wish, say, isBusy }: QuestionProps) {
  const words = said(FILES);
  const { connector } = look;
  return (
    <div class="setting-form">
      <p>{words.chooseSource}</p>
      <div class="setting-tools">
        {look.integrations.map(({ integration, name }) => (
          <button
            key={integration}
            type="button"
            disabled={isBusy}
            onClick={() => {
              const { connector: _, ...rest } = wish;
              say({ ...rest, integration });
            }}
          >
            {name ?? vendorName(connector ?? "")}
          </button>
        ))}
        <button
          type="button"
          disabled={isBusy}
          onClick={() => {
            const { integration: _, ...rest } = wish;
            say({ ...rest, ...(connector ? { connector } : {}) });
          }}
        >
          {words.newSource(vendorName(connector ?? ""))}
        </button>
      </div>
    </div>
  );
}

const ITEMS = ["salesTax", "payment", "shipping", "fulfilment", "commission", "other", "fixed"] as const;

/** What the words of a table of expenses are for. */
function Items({ look, wish, say, isBusy }: QuestionProps) {
  const words = said(FILES);
  const [items, setItems] = useState<Readonly<Record<string, string>>>({});
  const names = said(COSTS).items;
  const isWhole = look.unknownItems.every((word) => items[word]);
  return (
    <form
      class="setting-form"
      onSubmit={(event) => {
        event.preventDefault();
        say({ ...wish, items: { ...wish.items, ...items } });
      }}
    >
      <p>{words.itemsLead}</p>
      <div class="setting-pair">
        {look.unknownItems.map((word) => (
          <SelectField
            key={word}
            label={word}
            value={items[word] ?? ""}
            options={[["", "…"], ...ITEMS.map((item) => [item, names[item]] as const)]}
            change={(item) => setItems({ ...items, [word]: item })}
          />
        ))}
      </div>
      <div class="settings-actions">
        <button type="submit" class="primary" disabled={isBusy || !isWhole}>
          {words.say}
        </button>
      </div>
    </form>
  );
}

function Numbers({ wish, say, isBusy }: QuestionProps) {
  const words = said(FILES);
  return (
    <div class="setting-form">
      <p>{words.numbersQuestion}</p>
      <div class="setting-tools">
        {(["pt-BR", "en"] as const).map((numbers) => (
          <button key={numbers} type="button" disabled={isBusy} onClick={() => say({ ...wish, numbers })}>
            {numbers === "pt-BR" ? words.numbersPt : words.numbersEn}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Whether the names of campaigns, of a report without their ids, tell them apart. */
function ByName({ look, wish, say, isBusy }: QuestionProps) {
  const words = said(FILES);
  return (
    <div class="setting-form" data-form="by-name">
      <p>{words.byNameQuestion(vendorName(look.connector ?? ""))}</p>
      <p class="note">{words.byNameHint}</p>
      <div class="settings-actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => say({ ...wish, campaignsByName: true })}>
          {words.byName}
        </button>
      </div>
    </div>
  );
}

/** Whether no column of a table of orders says what became of them. */
const asksWhetherPaid = ({ connector, record, tool, columns }: Look): boolean =>
  connector === "storea" &&
  record === "orders" &&
  tool === null &&
  (columns ?? []).some(
    ({ name, heading, candidates }) => name === "status" && heading === null && candidates.length === 0,
  );

function AllPaid({ wish, say, isBusy }: QuestionProps) {
  const words = said(FILES);
  return (
    <div class="setting-form" data-form="all-paid">
      <p>{words.noStatus}</p>
      <div class="settings-actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => say({ ...wish, allOrdersPaid: true })}>
          {words.allPaid}
        </button>
      </div>
    </div>
  );
}

/** Orders of which none would count: what says that they are paid. */
function Uncounted({ look, wish, say, isBusy }: QuestionProps) {
  const words = said(FILES);
  const columns = look.columns ?? [];
  const headingOf = (name: string): string | null => columns.find((one) => one.name === name)?.heading ?? null;
  const [placedOn, status] = [headingOf("creation_date"), headingOf("status")];
  const isFound = columns.some(({ name, candidates }) => name === "authorized_date" && candidates.length > 0);
  if (look.connector !== "storea" || look.tool !== null || placedOn === null || status === null || isFound) return null;
  const asPaid = { ...wish, columns: { ...wish.columns, authorized_date: placedOn } };
  return (
    <div class="setting-form" data-form="uncounted">
      <p>{words.paidQuestion}</p>
      <div class="setting-tools">
        <button type="button" disabled={isBusy} onClick={() => say(byStatus(wish, look))}>
          {words.paidByStatus(status)}
        </button>
        <button type="button" disabled={isBusy} onClick={() => say(asPaid)}>
          {words.paidAll}
        </button>
      </div>
    </div>
  );
}

/** Read as the orders of a shop whose status alone says whether they are paid. */
function byStatus({ integration: _, columns: __, ...wish }: Wish, { columns }: Look): Wish {
  const headings = Object.fromEntries(
    (columns ?? []).flatMap(({ name, heading, candidates: [candidate] }) => {
      const other = AS_STATUS[name];
      const from = heading ?? candidate;
      return other === undefined || from === undefined || from === other ? [] : [[other, from]];
    }),
  );
  return { ...wish, connector: "storeb", record: "orders", columns: headings };
}

/** The columns of the one kind of orders by those of the other. */
const AS_STATUS: Readonly<Record<string, string>> = {
  order_id: "order_id",
  creation_date: "created_at",
  value: "total_price",
  status: "financial_status",
  email: "email",
};

/** Name and time zone of a source that the file would make. */
export function NewSource({ look, wish, say }: Omit<QuestionProps, "isBusy">) {
  const words = said(FILES);
  const [name, setName] = useState(wish.name ?? "");
  return (
    <fieldset class="setting-group">
      <legend>{words.newSource(sourceOf(look))}</legend>
      <div class="setting-pair">
        <div
          onFocusOut={() => {
            if (name.trim() !== (wish.name ?? "")) say(named(wish, name, look));
          }}
        >
          <TextField label={words.sourceName} value={name} change={setName} max={80} />
        </div>
        {isStore(look.connector) && (
          <SelectField
            label={words.timezone}
            value={wish.timezone ?? ""}
            options={zoneOptions(wish.timezone)}
            change={(timezone) => say(zoned(wish, timezone, look))}
            hint={wish.timezone ? undefined : words.inUtc}
          />
        )}
      </div>
    </fieldset>
  );
}

/** A new source beside others is named by its connector. */
const asNew = (wish: Wish, { connector, integrations }: Look): Wish => ({
  ...wish,
  ...(connector && integrations.length > 0 ? { connector } : {}),
});

function named(wish: Wish, name: string, look: Look): Wish {
  const { name: _, ...rest } = asNew(wish, look);
  return name.trim() === "" ? rest : { ...rest, name: name.trim() };
}

function zoned(wish: Wish, timezone: string, look: Look): Wish {
  const { timezone: _, ...rest } = asNew(wish, look);
  return timezone === "" ? rest : { ...rest, timezone };
}
