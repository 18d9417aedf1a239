import type { Line, Statement } from "../../answers.ts";
import { amount, currency, figure, signedAmount } from "../../format.ts";
import { stepsOf } from "../overview/statementText.ts";
import { type Named, report } from "./reportText.ts";

interface Props {
  readonly statement: Statement;
  readonly period: Named;
  /** The period compared with. */
  readonly before: Named | undefined;
}

/** The statement, line by line, beside that of the period before. */
export function StatementTable({ statement, period, before }: Props) {
  const texts = report().statement;
  const isCompared = before !== undefined;
  return (
    <section class="report-part" data-part="statement">
      <h3>
        {texts.title}
        {currency.value && <small>{texts.currency(currency.value)}</small>}
      </h3>
      <table class="report-table">
        <thead>
          <tr>
            <th scope="col">{texts.line}</th>
            <th scope="col">{shortOf(period) ?? texts.amount}</th>
            <th scope="col">{texts.share}</th>
            {isCompared && (
              <>
                <th scope="col" class="is-wide">
                  {shortOf(before) ?? texts.before}
                </th>
                <th scope="col">{texts.change}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {stepsOf(statement).map(({ key, label, value, isTotal, note }) => {
            const line = key as Line;
            const { share } = statement.statement[line];
            return (
              <tr key={key} data-line={key} class={isTotal ? "is-total" : ""}>
                <th scope="row">
                  {label}
                  {note && <small>{note}</small>}
                </th>
                <td>{amount(value)}</td>
                <td>{value === null ? "" : figure(share, "ratio")}</td>
                {isCompared && (
                  <>
                    <td class="is-wide">{amount(statement.previousPeriod?.[line])}</td>
                    <td>{signedAmount(statement.changes?.[line].amount)}</td>
                  </>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** A column's heading; days as such would be too wide. */
const shortOf = ({ is, name }: Named): string | undefined => (is === "range" ? undefined : name);
