import { range } from "../../../format.ts";
import { said } from "../../../text.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { columnName, count, reasonText, recordName, rowsText, sourceOf, sumOf } from "./names.ts";
import { isStore } from "./places.ts";
import type { Look } from "./types.ts";

const list = (names: readonly string[]): string => names.map(columnName).join(", ");

/** What a file has and what would become of it, before it lands. */
export function Preview({ look }: { look: Look }) {
  const words = said(FILES);
  const { record, connector, rows, firstDay, lastDay, sums, rejected, rejects, repeated, orders, notes } = look;
  // Of what is not matched yet nothing can be read.
  if ((look.outcome === "map" || look.asks !== null) && record && connector)
    return (
      <p class="preview-what">
        <strong>{words.is(recordName(record), sourceOf(look))}</strong>
      </p>
    );
  return (
    <div class="preview" data-look={look.outcome}>
      {record && connector && (
        <p class="preview-what">
          <strong>{words.is(recordName(record), sourceOf(look))}</strong>
          {" · "}
          {rowsText(rows)}
          {" · "}
          {firstDay && lastDay ? words.days(range(firstDay, lastDay)) : words.noDays}
        </p>
      )}
      {orders && (
        <p>
          {words.orders(count(orders.counted))}
          {Object.keys(orders.uncounted).length > 0 && (
            <>
              {"; "}
              {words.uncounted(count(total(orders.uncounted)))}:{" "}
              {Object.entries(orders.uncounted)
                .map(([why, n]) => `${count(n)} ${words.uncountedWhy[why] ?? why}`)
                .join(", ")}
            </>
          )}
          .
        </p>
      )}
      {connector === "storeb" && orders?.unknown && (
        <p class="cost-unsaid">
          {words.unknownStatuses(
            Object.entries(orders.unknown)
              .map(([status, n]) => `${status} (${count(n)})`)
              .join(", "),
          )}
        </p>
      )}
      {orders?.counted === 0 && rows > 0 && <p class="cost-unsaid">{words.noneCounts}</p>}
      {sums.length > 0 && (
        <dl class="preview-sums" title={words.sumsHint}>
          {sums.map(({ field, sum }) => (
            <div key={field}>
              <dt>{columnName(field)}</dt>
              <dd>{sumOf(field, sum)}</dd>
            </div>
          ))}
        </dl>
      )}
      {rejected > 0 && (
        <div class="setting-warning" data-rejected={rejected}>
          <p>
            <strong>{words.rejected(count(rejected))}</strong>
          </p>
          <ul>
            {rejects.map(({ reason, rows: n, position }) => (
              <li key={reason}>
                {position === null
                  ? words.rejectedFor(reasonText(reason), count(n))
                  : words.rejectedAt(reasonText(reason), count(n), count(position))}
              </li>
            ))}
          </ul>
          {hasRepeatedOrders(look) && <p>{words.repeatedOrders}</p>}
        </div>
      )}
      <Gives look={look} />
      <Changes look={look} />
      {repeated > 0 && <p class="muted">{words.repeated(count(repeated))}</p>}
      {look.columns === null && look.used.length === 0 ? null : (
        <details class="preview-columns">
          <summary>
            {[
              words.used(count(look.used.length)),
              look.unused.length > 0 ? words.unused(count(look.unused.length)) : "",
              look.empty.length > 0 ? words.empty(count(look.empty.length)) : "",
            ]
              .filter(Boolean)
              .join(" · ")}
          </summary>
          <dl>
            <dt>{words.used(count(look.used.length))}</dt>
            <dd>{list(look.used) || "–"}</dd>
            {look.unused.length > 0 && (
              <>
                <dt>{words.unused(count(look.unused.length))}</dt>
                <dd>{look.unused.join(", ")}</dd>
              </>
            )}
            {look.empty.length > 0 && (
              <>
                <dt>{words.empty(count(look.empty.length))}</dt>
                <dd>{list(look.empty)}</dd>
              </>
            )}
          </dl>
        </details>
      )}
      {notes.length > 0 && (
        <details class="preview-columns">
          <summary>{words.notes}</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Headings of the products of an order, and of where a visit came from, as shops have them. */
const PRODUCTS = /\b(sku|produtos?|products?|item|itens|items|quantidade|quantity|qtde?|ean|variante|variant)\b/i;
const VISITS = /(^|\b)(utm|origem|source|m[ií]dia|medium|canal|channel|campanha|campaign)/i;
const CUSTOMERS = ["email", "customer_id"];

const isOfOrders = ({ connector, record, rows }: Look): boolean =>
  isStore(connector) && record === "orders" && rows > 0;
const linesIn = ({ unused }: Look): readonly string[] => unused.filter((heading) => PRODUCTS.test(heading));

/** Rows that lack everything but the order's number and its products. */
const hasRepeatedOrders = (look: Look): boolean =>
  isOfOrders(look) && linesIn(look).length > 0 && look.rejects.every(({ reason }) => /missing/.test(reason));

/** What a table of orders does not give, and what its unused columns would. */
function Gives({ look }: { look: Look }) {
  const words = said(FILES);
  const isTable = look.columns !== null && look.columns.length > 0;
  const hasLines = look.used.includes("items");
  if (!isOfOrders(look) || (hasLines && !isTable)) return null;
  const lines = linesIn(look);
  const visits = look.unused.filter((heading) => VISITS.test(heading));
  return (
    <div data-gives>
      {!hasLines && (
        <>
          <p class="cost-unsaid">{words.noLines}</p>
          <p class="note">
            {lines.length > 0 ? words.noLinesFor(lines.join(", ")) : ""} {words.noLinesHint}
          </p>
        </>
      )}
      {isTable && !look.used.some((name) => CUSTOMERS.includes(name)) && <p class="cost-unsaid">{words.noCustomers}</p>}
      {isTable && visits.length > 0 && <p class="note">{words.givesChannels(visits.join(", "))}</p>}
    </div>
  );
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, n) => sum + n, 0);

/** What it adds to what has landed, and replaces of it. */
function Changes({ look: { changes, amounts } }: { look: Look }) {
  const words = said(FILES);
  if (amounts) {
    const { added, replaced, others } = amounts;
    return (
      <div data-changes>
        {added.rows > 0 && <p>{words.addsUp(rowsText(added.rows), sumOf("amount", added.sum))}</p>}
        {replaced.rows > 0 && (
          <p>
            {words.replacesSum(
              rowsText(replaced.rows),
              sumOf("amount", replaced.before),
              sumOf("amount", replaced.after),
            )}
          </p>
        )}
        {others.map(({ file, rows }) => (
          <p key={file}>{words.otherFile(file, rowsText(rows))}</p>
        ))}
      </div>
    );
  }
  if (!changes) return null;
  const { added, same, replaced, older, files } = changes;
  const from =
    replaced > 0 && files.length > 0 ? ` (${words.replacedFrom(files.map(({ file }) => file).join(", "))})` : "";
  const parts = [
    added > 0 ? words.added(count(added)) : "",
    same > 0 ? words.same(count(same)) : "",
    replaced > 0 ? `${words.replaced(count(replaced))}${from}` : "",
    older > 0 ? words.older(count(older)) : "",
  ].filter(Boolean);
  return parts.length === 0 ? null : <p data-changes>{parts.join("; ")}.</p>;
}
