import { useState } from "preact/hooks";
import { inPortuguese } from "../../../portuguese.ts";
import { organization } from "../../../session.ts";
import { lang, said } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { SelectField, TextField } from "../fields.tsx";
import { zoneOptions } from "../zones.ts";
import { columnName, recordName, rowsText, vendorName } from "./names.ts";
import type { Column, Look, Wish } from "./types.ts";

interface Props {
  readonly look: Look;
  readonly wish: Wish;
  readonly say: (wish: Wish) => void;
  readonly isBusy: boolean;
}

/** What only a person can say of a file, so that it can land: what it is, which column is which, where it belongs. */
export function Questions(props: Props) {
  const { look } = props;
  const { outcome } = look;
  const words = said(FILES);
  if (outcome === "map") return <Mapping key={look.id} {...props} />;
  if (outcome === "unknown") return <What {...props} />;
  if (outcome === "choose") return look.record === null ? <WhichRecord {...props} /> : <WhichSource {...props} />;
  const isTable = look.columns !== null && look.columns.length > 0;
  // Often only the column with the day of the payment has another name.
  const isOpen = outcome === "refused" || (look.orders !== null && look.orders.counted === 0);
  return (
    <>
      {isTable && (
        <details class="preview-columns" open={isOpen}>
          <summary>{words.mapAgain}</summary>
          <Mapping key={look.id} {...props} />
        </details>
      )}
      {look.unknownItems.length > 0 && <Items {...props} />}
      {outcome === "refused" && look.reason !== null && /two ways|ambiguous/.test(look.reason) && (
        <Numbers {...props} />
      )}
    </>
  );
}

/** The heading of each column that is read from none of its own name, or that somebody has said. */
function Mapping({ look, wish, say, isBusy }: Props) {
  const words = said(FILES);
  const own = wish.columns ?? {};
  const open = (look.columns ?? []).filter(({ name, heading }) => heading === null || Object.hasOwn(own, name));
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>(() => ({ ...proposed(open), ...own }));
  const headings = (look.headings ?? []).filter((heading) => heading !== "");
  const isMain = ({ name, required }: Column): boolean => required || MAIN.includes(name);
  const required = open.filter((one) => one.required);
  const optional = open.filter((one) => !isMain(one));
  const field = ({ name, required: isRequired, description }: Column) => (
    <SelectField
      key={name}
      label={`${columnName(name)}${isRequired ? ` (${words.required})` : ""}`}
      hint={(lang.value === "pt" ? inPortuguese(description) : description) ?? ""}
      value={chosen[name] ?? ""}
      options={[["", words.mapNone], ...headings.map((heading) => [heading, heading] as const)]}
      change={(heading) => setChosen({ ...chosen, [name]: heading })}
    />
  );
  return (
    <form
      class="setting-form"
      data-form="mapping"
      onSubmit={(event) => {
        event.preventDefault();
        const columns = Object.fromEntries(Object.entries(chosen).filter(([, heading]) => heading !== ""));
        say({ ...wish, ...(look.record ? { record: look.record } : {}), columns });
      }}
    >
      <h4>{words.map}</h4>
      <p class="note">{words.mapLead}</p>
      <div class="setting-pair">{open.filter(isMain).map(field)}</div>
      {optional.length > 0 && (
        <details class="preview-columns">
          <summary>{words.mapOptional}</summary>
          <div class="setting-pair">{optional.map(field)}</div>
        </details>
      )}
      <div class="settings-actions">
        <button type="submit" class="primary" disabled={isBusy || required.some(({ name }) => !chosen[name])}>
          {words.mapTake}
        </button>
      </div>
    </form>
  );
}

/** Columns without which orders land but do not count, or have no customer. */
const MAIN = ["authorized_date", "email", "status"];

/** The likeliest heading of each required column; one heading is not two columns. */
function proposed(columns: readonly Column[]): Readonly<Record<string, string>> {
  const taken = new Set<string>();
  const found: Record<string, string> = {};
  for (const { name, candidates } of columns.filter(({ required }) => required)) {
    const heading = candidates.find((one) => !taken.has(one));
    if (heading === undefined) continue;
    taken.add(heading);
    found[name] = heading;
  }
  return found;
}

/** What each connector exports, what is most often sent by hand first. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  storea: ["orders", "items", "products", "categories", "inventory"],
  storeb: ["orders", "products", "inventory"],
  socialads: ["campaigns", "adset-config", "platform"],
  searchads: ["campaigns", "keywords", "geographic", "conversion-segmented-campaigns", "ad-group-criterion"],
  webanalytics: ["customers", "events", "items"],
  crm: ["contacts", "products", "pipelines"],
  finance: ["product-costs", "expenses", "payment-fees"],
};

/** A source that is there, or a new one of a connector. */
type Place = `source ${string}` | `new ${string}`;

function What({ wish, say, isBusy }: Props) {
  const words = said(FILES);
  const sources = organization.value?.connectors ?? [];
  const places: readonly (readonly [Place, string])[] = [
    ...sources.map(
      ({ integrationId, name, connector }) => [`source ${integrationId}`, name ?? vendorName(connector)] as const,
    ),
    ...Object.keys(RECORDS).map((connector) => [`new ${connector}`, words.newSource(vendorName(connector))] as const),
  ];
  const [place, setPlace] = useState<Place>(places[0]?.[0] ?? "new storea");
  const [, kind = "", name = ""] = /^(\w+) (.*)$/.exec(place) ?? [];
  const connector =
    kind === "new" ? name : (sources.find(({ integrationId }) => integrationId === name)?.connector ?? "");
  const records = RECORDS[connector] ?? [];
  const [chosen, setChosen] = useState("");
  const record = records.includes(chosen) ? chosen : (records[0] ?? "");
  return (
    <form
      class="setting-form"
      data-form="what"
      onSubmit={(event) => {
        event.preventDefault();
        const { integration: _, connector: __, ...rest } = wish;
        say({ ...rest, record, ...(kind === "new" ? { connector } : { integration: name }) });
      }}
    >
      <p class="note">{words.unknownHint}</p>
      <div class="setting-pair">
        <SelectField label={words.from} value={place} options={places} change={setPlace} />
        <SelectField
          label={words.recordOf}
          value={record}
          options={records.map((one) => [one, recordName(one)] as const)}
          change={setChosen}
        />
      </div>
      <div class="settings-actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {words.say}
        </button>
      </div>
    </form>
  );
}

function WhichRecord({ look, wish, say, isBusy }: Props) {
  const words = said(FILES);
  return (
    <div class="setting-form">
      <p>{words.chooseRecord}</p>
      <div class="setting-tools">
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

/** The source that it lands in, of several, or a new one. */
function WhichSource({ look, wish, say, isBusy }: Props) {
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
function Items({ look, wish, say, isBusy }: Props) {
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

function Numbers({ wish, say, isBusy }: Props) {
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

/** Name and time zone of a source that the file would make. */
export function NewSource({ look, wish, say }: Omit<Props, "isBusy">) {
  const words = said(FILES);
  const isStore = look.connector === "storea" || look.connector === "storeb";
  const [name, setName] = useState(wish.name ?? "");
  return (
    <fieldset class="setting-group">
      <legend>{words.newSource(vendorName(look.connector ?? ""))}</legend>
      <div class="setting-pair">
        <div
          onFocusOut={() => {
            if (name.trim() !== (wish.name ?? "")) say(named(wish, name, look));
          }}
        >
          <TextField label={words.sourceName} value={name} change={setName} max={80} />
        </div>
        {isStore && (
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

/** In the source of a connector, or in a new one if there is none. */
function placed({ integration: _, connector: __, ...wish }: Wish, connector: string): Wish {
  const there = organization.value?.connectors.find((one) => one.connector === connector);
  return { ...wish, ...(there ? { integration: there.integrationId } : { connector }) };
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
