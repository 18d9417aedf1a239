import { signedAmount } from "../../format.ts";

export interface BarOf {
  readonly key: string;
  readonly label: string;
  readonly value: number;
}

interface Props {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly BarOf[];
  readonly total: { readonly label: string; readonly value: number };
}

/** What added to a change and what took from it: to the right of the middle, and to its left. */
export function Bars({ name, title, rows, total }: Props) {
  const most = Math.max(...rows.map(({ value }) => Math.abs(value)), 0) || 1;
  return (
    <table class="report-table report-bars" data-part={name}>
      <caption>{title}</caption>
      <tbody>
        {rows.map(({ key, label, value }) => {
          const width = (Math.abs(value) / most) * 50;
          return (
            <tr key={key} data-effect={key}>
              <th scope="row">{label}</th>
              <td class="report-bar-cell">
                <svg width="100%" height="10" aria-hidden="true">
                  <line class="middle" x1="50%" x2="50%" y1="0" y2="10" />
                  <rect
                    class={value < 0 ? "takes" : "adds"}
                    x={`${value < 0 ? 50 - width : 50}%`}
                    width={`${width}%`}
                    y="1.5"
                    height="7"
                  />
                </svg>
              </td>
              <td>{signedAmount(value)}</td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr class="is-total">
          <th scope="row">{total.label}</th>
          <td />
          <td>{signedAmount(total.value)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
