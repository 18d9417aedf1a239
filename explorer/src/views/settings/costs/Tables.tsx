import { useState } from "preact/hooks";
import { lastOfMonth, today } from "../../../days.ts";
import { month } from "../../../format.ts";
import { add, ofOrganization } from "../../../platform/request.ts";
import { useChange } from "../../../platform/use.ts";
import { settingsAt } from "../../../route.ts";
import { save } from "../../../save.ts";
import { organization } from "../../../session.ts";
import { lang, said } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { numberIn } from "../exact.ts";
import { Failed } from "../failed.tsx";
import { Choice, Part, SelectField, TextField } from "../fields.tsx";
import { sendAll, settledDetail } from "../files/sending.ts";
import type { Detail } from "../files/types.ts";
import { renewed } from "../renewed.ts";
import { type CostItem, ITEMS } from "./rules.ts";

/** The headings of tables of one's own, as people write them, with a row as an example. */
const MODELS = {
  costs: {
    pt: ["Loja;SKU;Custo;Válido desde", ";CAMISETA-P;39,90;2026-01-01"],
    en: ["Store,SKU,Unit cost,Valid from", ",SHIRT-S,39.90,2026-01-01"],
  },
  expenses: {
    pt: ["Data;Categoria;Valor;Descrição", "2026-01-31;fixo;3000,00;Aluguel"],
    en: ["Date,item,amount,description", "2026-01-31,fixed,3000.00,Rent"],
  },
  fees: {
    pt: ["Pedido;Taxa;Data", "1234567890123-01;4,90;2026-01-31"],
    en: ["Order,fee,Date", "1234567890123-01,4.90,2026-01-31"],
  },
} as const;
type Model = keyof typeof MODELS;

/** The tables that have more than rules can say, and expenses one by one. */
export function Tables() {
  const words = said(COSTS);
  const [isEntering, setEntering] = useState(false);
  const rows: readonly (readonly [Model, string, string])[] = [
    ["costs", words.tableCosts, words.tableCostsAbout],
    ["expenses", words.tableExpenses, words.tableExpensesAbout],
    ["fees", words.tableFees, words.tableFeesAbout],
  ];
  const model = (name: Model, title: string): void => {
    // The mark tells Excel that the text is UTF-8.
    const text = `\uFEFF${MODELS[name][lang.value].join("\r\n")}\r\n`;
    save(new Blob([text], { type: "text/csv" }), `${title}.csv`);
  };
  return (
    <Part name="tables" title={words.tables} lead={words.tablesLead}>
      <ul class="setting-rows">
        {rows.map(([name, title, about]) => (
          <li key={name}>
            <div>
              <strong>{title}</strong>
              <p class="muted">{about}</p>
            </div>
            <div class="setting-tools">
              <a href={settingsAt("files")}>{words.tableSend}</a>
              <button type="button" class="quiet" onClick={() => model(name, title)}>
                {words.tableModel}
              </button>
              {name === "expenses" && !isEntering && (
                <button type="button" onClick={() => setEntering(true)}>
                  {words.expense}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {isEntering && <Expense close={() => setEntering(false)} />}
    </Part>
  );
}

type ExpenseItem = Exclude<CostItem, "goods">;

/** Costs that are usually of a month, although they are paid on one day. */
const MONTHLY: readonly ExpenseItem[] = ["shipping", "fulfilment", "payment", "fixed"];

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** One expense, as a table of one row: it lands, and is undone, like any other file. */
function Expense({ close }: { close: () => void }) {
  const words = said(COSTS);
  const [item, setItem] = useState<ExpenseItem>("fixed");
  const [amount, setAmount] = useState("");
  const [day, setDay] = useState(today(organization.value?.timezones[0]));
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<"day" | "month" | undefined>();
  const [isTried, setTried] = useState(false);
  const [isDone, setDone] = useState(false);
  const change = useChange();
  const of = chosen ?? (MONTHLY.includes(item) ? "month" : "day");
  const value = numberIn(amount);
  const send = (): Promise<boolean> =>
    change.run(async () => {
      const days = of === "month" ? [`${day.slice(0, 8)}01`, lastOfMonth(day)] : [day, day];
      const row = [...days, item, String(value), quoted(text.trim())].join(",");
      const file = new File(
        [`date_start,date_stop,item,amount,description\n${row}\n`],
        `${item}-${day}-${Date.now()}.csv`,
      );
      const [id] = await sendAll([file]);
      if (id === undefined) return;
      const path = `${ofOrganization("uploads")}/${id}`;
      await add<Detail>(`${path}/look`, {});
      const { look } = await settledDetail(id, () => {});
      // What would replace an earlier expense is left to the person, in the files.
      if (look?.outcome === "ready" && !look.amounts?.replaced.rows) {
        await add(`${path}/landing`, { look: look.id });
        await settledDetail(id, () => {});
        await renewed();
      }
      setDone(true);
    });
  if (isDone)
    return (
      <p role="status">
        {words.expenseDone} <a href={settingsAt("files")}>{words.tableSend}</a>
      </p>
    );
  return (
    <form
      class="setting-form"
      data-form="expense"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (value !== undefined && day !== "") void send();
      }}
    >
      <div class="setting-pair">
        <SelectField<ExpenseItem>
          label={words.expenseItem}
          value={item}
          options={ITEMS.flatMap((one) => (one === "goods" ? [] : [[one, words.items[one]] as const]))}
          change={setItem}
        />
        <TextField
          label={words.expenseAmount}
          value={amount}
          change={setAmount}
          isNumber
          error={isTried && value === undefined ? words.errors.number : undefined}
        />
        <TextField
          label={words.expenseDay}
          type="date"
          value={day}
          change={setDay}
          error={isTried && day === "" ? words.errors.day : undefined}
        />
        <TextField label={words.expenseText} value={text} change={setText} max={100} />
      </div>
      {day !== "" && (
        <Choice
          legend={words.expenseOf}
          value={of}
          options={[
            ["month", words.expenseOfMonth(month(day))],
            ["day", words.expenseOfDay],
          ]}
          change={setChosen}
        />
      )}
      {change.failure && <Failed failure={change.failure} />}
      <div class="settings-actions">
        <button type="submit" class="primary" disabled={change.isRunning}>
          {words.expenseSave}
        </button>
        <button type="button" disabled={change.isRunning} onClick={close}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
}
