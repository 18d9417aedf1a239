import { useEffect } from "preact/hooks";
import { said } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { files as FILES } from "../../../words/later/files.ts";
import { Choice } from "../fields.tsx";
import { rowsText, sumOf } from "./names.ts";
import type { QuestionProps } from "./Questions.tsx";

type Item = keyof ReturnType<typeof namesOf>;
const namesOf = () => said(COSTS).items;

/** What people write once a month, on the day of the bill. */
const MONTHLY = ["shipping", "fulfilment", "payment", "fixed"];

/** Whether expenses that name one day are of this day or of the whole month [D92]: the usual answer is proposed. */
export function OneDay({ look, wish, say }: Pick<QuestionProps, "look" | "wish" | "say">) {
  const words = said(FILES);
  const answers = wish.oneDayExpenses ?? {};
  const open = look.oneDay.filter(({ of }) => of === null);
  useEffect(() => {
    if (open.length === 0) return;
    const proposed = open.map(({ item }) => [item, MONTHLY.includes(item) ? "month" : "day"] as const);
    say({ ...wish, oneDayExpenses: { ...answers, ...Object.fromEntries(proposed) } });
  }, [look.id]);
  return (
    <div class="setting-form" data-form="one-day">
      <p>{words.oneDayLead}</p>
      {look.oneDay.map(({ item, rows, sum, of }) => (
        <Choice<"day" | "month">
          key={item}
          legend={words.oneDayOf(namesOf()[item as Item] ?? item, rowsText(rows), sumOf("amount", sum))}
          value={of ?? undefined}
          options={[
            ["month", words.oneDayMonth],
            ["day", words.oneDayDay],
          ]}
          change={(chosen) => say({ ...wish, oneDayExpenses: { ...answers, [item]: chosen } })}
        />
      ))}
    </div>
  );
}
