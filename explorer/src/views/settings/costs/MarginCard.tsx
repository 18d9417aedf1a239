import { useState } from "preact/hooks";
import { said } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { exactMoney, exactPercent, numberIn, typedNumber } from "../exact.ts";
import { Choice, Part, TextField, Tick } from "../fields.tsx";
import type { Margin, MarginName } from "./rules.ts";

const NAMES = ["costOfGoods", "tax", "gateway", "shipping"] as const satisfies readonly MarginName[];

interface Typed {
  readonly kind: "items" | "percent";
  readonly percent: string;
  readonly items: Readonly<Record<MarginName, string>>;
  /** What comes from the orders. */
  readonly orders: readonly MarginName[];
}

function typedOf(margin: Margin | null | undefined): Typed {
  const items = margin && "items" in margin ? margin.items : {};
  const textOf = (name: MarginName): string => {
    const item = items[name];
    return typeof item === "object" ? typedNumber(item.percent) : "";
  };
  return {
    kind: margin && "percent" in margin ? "percent" : "items",
    percent: margin && "percent" in margin ? typedNumber(margin.percent) : "",
    items: Object.fromEntries(NAMES.map((name) => [name, textOf(name)])) as Typed["items"],
    orders: NAMES.filter((name) => items[name] === "orders"),
  };
}

/** The margin that is typed; null for none; undefined while a number is wrong. */
export function marginIn({ kind, percent, items, orders }: Typed): Margin | null | undefined {
  const read = (text: string): number | undefined => {
    const value = numberIn(text);
    return value !== undefined && value <= 100 ? value : undefined;
  };
  if (kind === "percent") {
    if (percent.trim() === "") return null;
    const value = read(percent);
    return value === undefined ? undefined : { percent: value };
  }
  const entries: [MarginName, "orders" | { percent: number }][] = [];
  for (const name of NAMES) {
    if (orders.includes(name)) entries.push([name, "orders"]);
    else if (items[name].trim() !== "") {
      const value = read(items[name]);
      if (value === undefined) return undefined;
      entries.push([name, { percent: value }]);
    }
  }
  return entries.length === 0 ? null : { items: Object.fromEntries(entries) };
}

interface Props {
  readonly margin: Margin | null | undefined;
  readonly change: (margin: Margin | null) => void;
  /** Whether nothing has been said of costs yet: the four numbers are the beginning. */
  readonly isStart: boolean;
}

/** The margin: one number, or item by item. Its four items are what costs begin with. */
export function MarginCard({ margin, change, isStart }: Props) {
  const [typed, setTyped] = useState(() => typedOf(margin));
  const words = said(COSTS);
  const set = (next: Partial<Typed>): void => {
    const all = { ...typed, ...next };
    setTyped(all);
    const said_ = marginIn(all);
    if (said_ !== undefined) change(said_);
  };
  const faultOf = (text: string): string | undefined => {
    const value = numberIn(text);
    if (text.trim() === "") return undefined;
    return value === undefined ? words.errors.number : value > 100 ? words.errors.percent : undefined;
  };
  return (
    <Part
      name="margin"
      title={isStart ? words.start : words.marginTitle}
      lead={isStart ? words.startLead : words.marginLead}
    >
      {!isStart && (
        <Choice
          legend={words.marginKind}
          value={typed.kind}
          options={[
            ["items", words.marginItems],
            ["percent", words.marginOne],
          ]}
          change={(kind) => set({ kind })}
        />
      )}
      {typed.kind === "percent" ? (
        <div class="setting-pair">
          <TextField
            label={words.marginPercent}
            name="margin"
            value={typed.percent}
            change={(percent) => set({ percent })}
            isNumber
            unit="%"
            error={faultOf(typed.percent)}
          />
        </div>
      ) : (
        <div class="setting-four">
          {NAMES.map((name) => {
            const isInOrders = typed.orders.includes(name);
            return (
              <div key={name}>
                <TextField
                  label={words.startFields[name]}
                  name={name}
                  value={isInOrders ? "" : typed.items[name]}
                  change={(text) =>
                    set({
                      items: { ...typed.items, [name]: text },
                      orders: typed.orders.filter((other) => other !== name),
                    })
                  }
                  isNumber
                  unit="%"
                  error={isInOrders ? undefined : faultOf(typed.items[name])}
                />
                {name !== "gateway" && (
                  <Tick
                    label={name === "shipping" ? words.startCharged : words.startOrders}
                    checked={isInOrders}
                    change={(checked) =>
                      set({
                        orders: checked ? [...typed.orders, name] : typed.orders.filter((other) => other !== name),
                      })
                    }
                  />
                )}
              </div>
            );
          })}
        </div>
      )}
      {(!isStart || marginIn(typed) !== null) && <p class="muted">{resultOf(marginIn(typed))}</p>}
    </Part>
  );
}

/** What is left of 100 of revenue by what is typed. */
function resultOf(margin: Margin | null | undefined): string {
  const words = said(COSTS);
  if (margin === null) return words.marginNone;
  if (margin === undefined) return "";
  if ("percent" in margin) return words.marginIs(exactMoney(margin.percent));
  const items = Object.values(margin.items);
  if (items.some((item) => item === "orders")) return "";
  const left = 100 - items.reduce((sum, item) => sum + (typeof item === "object" ? item.percent : 0), 0);
  return left < 0 ? exactPercent(left) : words.marginIs(exactMoney(Math.round(left * 100) / 100));
}
