import { useState } from "preact/hooks";
import { dataOf, useAnswer } from "../../answer.ts";
import type { Cards, Statement } from "../../answers.ts";
import { lastOfMonth, monthsBefore, today } from "../../days.ts";
import { figure, month, type Unit } from "../../format.ts";
import { organization } from "../../session.ts";
import { said } from "../../text.ts";
import { targets as TARGETS } from "../../words/later/targets.ts";
import { useDraft } from "./draft.ts";
import { numberIn, typedNumber } from "./exact.ts";
import { Failed } from "./failed.tsx";
import { Part, TextField } from "./fields.tsx";
import { mergedFields } from "./merged.ts";
import { SaveBar } from "./SaveBar.tsx";

const UNITS = {
  revenue: "currency",
  contribution3: "currency",
  profit: "currency",
  margin: "percent",
  cac: "currency",
  ltvCacRatio: "times",
} as const satisfies Readonly<Record<string, Unit>>;
type Name = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as Name[];
type Values = Readonly<Partial<Record<Name, number>>>;

/** What the owner wants to reach, beside what the last month reached. */
export function Targets() {
  const words = said(TARGETS);
  const draft = useDraft<Values>("targets", { empty: {}, merged: mergedFields });
  const [typed, setTyped] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const last = useLastMonth();
  if (draft.failure && !draft.base) return <Failed failure={draft.failure} retry={() => void draft.reload()} />;
  const { now } = draft;
  if (!now) return <p class="skeleton skeleton-medium" />;
  const isWrong = (name: Name): boolean => {
    const text = typed[name]?.trim() ?? "";
    return text !== "" && !((numberIn(text) ?? 0) > 0);
  };
  const set = (name: Name, text: string): void => {
    setTyped({ ...typed, [name]: text });
    const value = numberIn(text);
    const { [name]: _, ...rest } = now;
    if (text.trim() === "") draft.change(rest);
    else if (value !== undefined && value > 0) draft.change({ ...now, [name]: value });
  };
  return (
    <>
      <Part name="targets" title={words.title} lead={words.lead}>
        <div class="setting-pair">
          {NAMES.map((name) => {
            const value = now[name];
            const before = last?.values[name];
            return (
              <TextField
                key={name}
                name={name}
                label={words.fields[name]}
                value={typed[name] ?? (value === undefined ? "" : typedNumber(value))}
                change={(text) => set(name, text)}
                isNumber
                unit={UNITS[name] === "percent" ? "%" : undefined}
                hint={
                  last && before !== undefined && before !== null
                    ? words.last(month(last.from), figure(before, UNITS[name]))
                    : undefined
                }
                error={isWrong(name) ? words.above : undefined}
              />
            );
          })}
        </div>
      </Part>
      <SaveBar
        isFaulty={NAMES.some(isWrong)}
        sections={[
          {
            name: "targets",
            draft: {
              ...draft,
              discard: () => {
                setTyped({});
                draft.discard();
              },
              takeTheirs: () => {
                setTyped({});
                draft.takeTheirs();
              },
              merge: () => {
                setTyped({});
                draft.merge();
              },
            },
            describe: (theirs) => (
              <ul>
                {NAMES.flatMap((name) => {
                  const value = (theirs as Values)[name];
                  return value === undefined
                    ? []
                    : [
                        <li key={name}>
                          {words.fields[name]}: {figure(value, UNITS[name])}
                        </li>,
                      ];
                })}
              </ul>
            ),
          },
        ]}
      />
    </>
  );
}

/** The figures of the last calendar month. */
function useLastMonth() {
  const { firstDay, timezones } = organization.value ?? { firstDay: null, timezones: [] };
  const from = monthsBefore(today(timezones[0]), 1);
  const days = { startDate: from, endDate: lastOfMonth(from) };
  const isThere = firstDay !== null;
  const cards = dataOf(
    useAnswer<Cards>(isThere ? { path: "/v1/profitability/cards", params: { ...days, compare: "none" } } : undefined),
  );
  const statement = dataOf(
    useAnswer<Statement>(isThere ? { path: "/v1/profit/statement", params: { ...days, compare: "none" } } : undefined),
  );
  if (!cards || !statement) return undefined;
  const cardOf = (name: string): number | null => (cards as unknown as Record<string, number | null>)[name] ?? null;
  const values: Readonly<Record<Name, number | null>> = {
    revenue: statement.statement.revenue.amount,
    contribution3: statement.statement.contribution3.amount,
    profit: statement.statement.fixed.source === "pending" ? null : statement.statement.profit.amount,
    margin: cardOf("marginPercent"),
    cac: cardOf("cac"),
    ltvCacRatio: cardOf("ltvCacRatio"),
  };
  return { from, values };
}
