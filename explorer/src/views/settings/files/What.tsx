import { useState } from "preact/hooks";
import { organization } from "../../../session.ts";
import { said } from "../../../text.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { Choice, SelectField } from "../fields.tsx";
import { recordName, vendorName } from "./names.ts";
import { ownOrders, placed } from "./places.ts";
import type { QuestionProps } from "./Questions.tsx";
import type { Look, Wish } from "./types.ts";

/** What people send that nothing recognizes, in their words. */
const KINDS = ["orders", "meta", "google", "product-costs", "expenses", "payment-fees", "other"] as const;
type Kind = (typeof KINDS)[number];

/** The connector and the record of a kind. */
const OF: Readonly<Record<Exclude<Kind, "other">, readonly [connector: string, record: string]>> = {
  orders: ["storea", "orders"],
  meta: ["socialads", "campaigns"],
  google: ["searchads", "campaigns"],
  "product-costs": ["finance", "product-costs"],
  expenses: ["finance", "expenses"],
  "payment-fees": ["finance", "payment-fees"],
};

/** The kinds, the likeliest first. */
function kindsOf({ likely }: Look): readonly Kind[] {
  const place = (kind: Kind): number => {
    if (kind === "other") return KINDS.length + 1;
    const [connector, record] = OF[kind];
    const at = likely.findIndex((one) => one.connector === connector && one.record === record);
    return at < 0 ? KINDS.length : at;
  };
  return [...KINDS].sort((a, b) => place(a) - place(b));
}

/** What a table is that nothing recognizes: nothing is chosen before somebody says it. */
export function What({ look, wish, say, isBusy }: QuestionProps) {
  const words = said(FILES);
  const [kind, setKind] = useState<Kind | undefined>();
  const [other, setOther] = useState<Wish | undefined>();
  const asked = kind === "other" ? other : kind && wishOf(kind, wish);
  // Only columns of a table can be matched.
  if (look.headings === null) return <p class="note">{words.unknownForm}</p>;
  return (
    <form
      class="setting-form"
      data-form="what"
      onSubmit={(event) => {
        event.preventDefault();
        if (asked) say(asked);
      }}
    >
      <p class="note">{words.unknownHeadings(look.headings.filter(Boolean).join(", "))}</p>
      <Choice<Kind>
        legend={words.unknownHint}
        value={kind}
        options={kindsOf(look).map((one) => [one, words.kindNames[one]] as const)}
        change={setKind}
      />
      {kind === "other" && <Other wish={wish} change={setOther} />}
      <div class="settings-actions">
        <button type="submit" class="primary" disabled={isBusy || asked === undefined}>
          {words.say}
        </button>
      </div>
    </form>
  );
}

function wishOf(kind: Exclude<Kind, "other">, wish: Wish): Wish {
  const [connector, record] = OF[kind];
  return kind === "orders" ? ownOrders(wish) : { ...placed(wish, connector), record };
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
type Place = "" | `source ${string}` | `new ${string}`;

/** Any record of any source. */
function Other({ wish, change }: { wish: Wish; change: (wish: Wish | undefined) => void }) {
  const words = said(FILES);
  const sources = organization.value?.connectors ?? [];
  const places: readonly (readonly [Place, string])[] = [
    ["", "…"],
    ...sources.map(
      ({ integrationId, name, connector }) => [`source ${integrationId}`, name ?? vendorName(connector)] as const,
    ),
    ...Object.keys(RECORDS).map((connector) => [`new ${connector}`, words.newSource(vendorName(connector))] as const),
  ];
  const [place, setPlace] = useState<Place>("");
  const [, kind = "", name = ""] = /^(\w+) (.*)$/.exec(place) ?? [];
  const connector =
    kind === "new" ? name : (sources.find(({ integrationId }) => integrationId === name)?.connector ?? "");
  const [record, setRecord] = useState("");
  const records = RECORDS[connector] ?? [];
  const { integration: _, connector: __, ...rest } = wish;
  const chosen = (next: string): void => {
    setRecord(next);
    const where = kind === "new" ? { connector } : { integration: name };
    change(next === "" ? undefined : { ...rest, record: next, ...where });
  };
  return (
    <div class="setting-pair">
      <SelectField
        label={words.from}
        value={place}
        options={places}
        change={(next) => {
          setPlace(next);
          setRecord("");
          change(undefined);
        }}
      />
      {records.length > 0 && (
        <SelectField
          label={words.recordOf}
          value={record}
          options={[["", "…"], ...records.map((one) => [one, recordName(one)] as const)]}
          change={chosen}
        />
      )}
    </div>
  );
}
