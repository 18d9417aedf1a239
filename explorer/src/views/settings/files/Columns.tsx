import { useState } from "preact/hooks";
import { said } from "../../../text.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { SelectField } from "../fields.tsx";
import { columnName } from "./names.ts";
import type { QuestionProps } from "./Questions.tsx";
import type { Column, Look } from "./types.ts";

/** The heading of each column that is read from none of its own name, or that somebody has said. */
export function Columns({ look, wish, say, isBusy }: QuestionProps) {
  const words = said(FILES);
  const own = wish.columns ?? {};
  const open = (look.columns ?? []).filter(({ name, heading }) => heading === null || Object.hasOwn(own, name));
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>(() => ({ ...proposed(look, open), ...own }));
  const headings = (look.headings ?? []).filter((heading) => heading !== "");
  const isMain = ({ name, required }: Column): boolean => required || MAIN.includes(name);
  const required = open.filter((one) => one.required);
  // What people do not put into tables has no name here; a heading that is the column's own is read all the same.
  const optional = open.filter((one) => !isMain(one) && words.columnNames[one.name] !== undefined);
  const field = ({ name, required: isRequired, misfits }: Column) => (
    <SelectField
      key={name}
      label={`${columnName(name)}${isRequired ? ` (${words.required})` : ""}`}
      hint={words.columnHints[name]}
      value={chosen[name] ?? ""}
      options={[
        ["", words.mapNone],
        ...headings
          .filter((heading) => !misfits.includes(heading) || chosen[name] === heading)
          .map((heading) => [heading, heading] as const),
      ]}
      change={(heading) => setChosen({ ...chosen, [name]: heading })}
    />
  );
  const isUnpaid = look.orders?.counted === 0;
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
      <p class="note">{required.length > 0 ? words.mapLead : isUnpaid ? words.mapPaid : words.mapMore}</p>
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
/** Columns that may be read from the heading of another one. */
const SHARED = ["campaign_id", "date_stop"];

/** The likeliest heading of each column that orders need to count, and of each required one; one heading is not two columns. */
function proposed({ orders, outcome }: Look, columns: readonly Column[]): Readonly<Record<string, string>> {
  const isAsked = outcome === "map" || orders?.counted === 0;
  const wanted = columns.filter(({ name, required }) => required || (isAsked && MAIN.includes(name)));
  const taken = new Set<string>();
  const found: Record<string, string> = {};
  for (const { name, candidates } of wanted.sort((a, b) => Number(b.required) - Number(a.required))) {
    const heading = candidates.find((one) => SHARED.includes(name) || !taken.has(one));
    if (heading === undefined) continue;
    taken.add(heading);
    found[name] = heading;
  }
  return found;
}
