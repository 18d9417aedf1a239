import type { RefObject } from "preact";
import { today } from "../../../days.ts";
import { said } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { Part, useField } from "../fields.tsx";
import { emptyForm, type Form, formOf } from "./form.ts";
import { addingUp, type Cost, type CostItem, fromMargin, ITEMS, type Margin, OF_MARGIN } from "./rules.ts";
import { amountsOf, daysOf, sentenceOf } from "./sentence.ts";

interface Props {
  readonly costs: readonly Cost[];
  readonly margin: Margin | null | undefined;
  readonly open: (form: Form, old?: Cost) => void;
  readonly end: (cost: Cost) => void;
  readonly remove: (cost: Cost) => void;
  readonly none: (item: CostItem) => void;
}

/** The costs of each item, as sentences. */
export function CostList({ costs, margin, open, end, remove, none }: Props) {
  const words = said(COSTS);
  return (
    <Part name="costs" title={words.listTitle} lead={words.lead}>
      <ul class="setting-rows cost-items">
        {ITEMS.map((item) => (
          <Item
            key={item}
            item={item}
            own={costs.filter((cost) => cost.item === item)}
            {...{ margin, open, end, remove, none }}
          />
        ))}
      </ul>
    </Part>
  );
}

interface ItemProps extends Omit<Props, "costs"> {
  readonly item: CostItem;
  readonly own: readonly Cost[];
}

function Item({ item, own, margin, open, end, remove, none }: ItemProps) {
  const words = said(COSTS);
  const place = useField(item) as RefObject<HTMLLIElement>;
  const isLimited = own.some(({ amounts, where }) => amounts.none === undefined && where !== undefined);
  return (
    <li ref={place} data-cost-item={item}>
      <div>
        <h4 tabIndex={-1}>{words.items[item]}</h4>
        <p class="muted">{words.about[item]}</p>
        {own.length === 0 && <Unsaid item={item} margin={margin} />}
        {own.length > 0 && (
          <ul class="cost-sentences">
            {own.map((cost, at) => (
              <Sentence
                key={`${sentenceOf(cost)} ${cost.name ?? ""} ${at}`}
                cost={cost}
                isRest={isLimited && cost.amounts.none === true && cost.where === undefined}
                isAdding={addingUp(cost, own.slice(0, at)).length > 0}
                open={open}
                end={end}
                remove={remove}
              />
            ))}
          </ul>
        )}
      </div>
      <div class="setting-tools">
        <button type="button" aria-label={words.addTo(words.items[item])} onClick={() => open(emptyForm(item))}>
          {words.add}
        </button>
        {own.length === 0 && item !== "goods" && (
          <button type="button" class="quiet" onClick={() => none(item)}>
            {words.noSuch}
          </button>
        )}
      </div>
    </li>
  );
}

function Unsaid({ item, margin }: { readonly item: CostItem; readonly margin: Props["margin"] }) {
  const words = said(COSTS);
  const said_ = fromMargin(item, margin);
  if (said_)
    return (
      <p data-from-margin={item}>
        {words.always}: {amountsOf(said_)} <span class="chip">{words.fromMargin}</span>
      </p>
    );
  const name = OF_MARGIN[item];
  const isInOrders = name !== undefined && margin && "items" in margin && margin.items[name] === "orders";
  return <p class={isInOrders ? "" : "cost-unsaid"}>{isInOrders ? words.fromOrders : words.unsaid}</p>;
}

interface SentenceProps extends Pick<Props, "open" | "end" | "remove"> {
  readonly cost: Cost;
  /** Whether it is of the orders that no other cost of the item is limited to. */
  readonly isRest: boolean;
  readonly isAdding: boolean;
}

function Sentence({ cost, isRest, isAdding, open, end, remove }: SentenceProps) {
  const words = said(COSTS);
  const now = today();
  const isEnded = cost.until !== undefined && cost.until < now;
  const isLater = cost.from !== undefined && cost.from > now;
  const text = isRest ? words.rest(daysOf(cost)) : sentenceOf(cost);
  return (
    <li class={isEnded ? "is-ended" : ""} data-cost={text}>
      <span class="cost-text">
        {cost.name && <strong>{cost.name} · </strong>}
        {text}
        {isEnded && <span class="chip">{words.ended}</span>}
        {isLater && <span class="chip">{words.later}</span>}
        {isAdding && !isEnded && <span class="chip pending">{words.addsUp}</span>}
      </span>
      <span class="cost-acts">
        <button type="button" class="link" aria-label={words.alterCost(text)} onClick={() => open(formOf(cost), cost)}>
          {words.alter}
        </button>
        {!isEnded && (
          <button type="button" class="link" aria-label={words.endCost(text)} onClick={() => end(cost)}>
            {words.end}
          </button>
        )}
        <button type="button" class="link" aria-label={words.removeCost(text)} onClick={() => remove(cost)}>
          {words.remove}
        </button>
      </span>
    </li>
  );
}
