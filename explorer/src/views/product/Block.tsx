import type { ComponentChildren } from "preact";
import type { Answer } from "../../answer.ts";
import type { Block, Detail } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Card } from "../../components/Card.tsx";
import { day, figure, range } from "../../format.ts";
import { sqlOf } from "../../openapi.ts";
import { t } from "../../text.ts";
import { LEAST, neighboursOf } from "./neighbours.ts";

export const BLOCKS = [
  "purchaseFrequency",
  "retention",
  "entryCohort",
  "acquisitionChannels",
  "boughtTogether",
  "boughtAfter",
  "coupons",
  "funnel",
] as const;
/** Of the last 12 months, whatever the period. */
const UNTIL_TODAY: readonly BlockName[] = ["entryCohort", "boughtTogether", "boughtAfter"];
export type BlockName = (typeof BLOCKS)[number];

/** A card of one block of the answer. */
export interface Part {
  readonly name: BlockName;
  readonly detail: Answer<Detail>;
  readonly query: Query;
  readonly span: 6 | 12;
}

/** Each block has its own SQL file: `boughtAfter` is `bought-after.sql`. */
export const sqlOfBlock = (name: string, { path }: Query): readonly string[] =>
  sqlOf(path).filter((file) =>
    file.endsWith(`/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.sql`),
  );

const isNeighbours = (name: BlockName): name is "boughtTogether" | "boughtAfter" =>
  name === "boughtTogether" || name === "boughtAfter";

/** Why a block has nothing to show. */
function nothingIn(detail: Detail, name: BlockName): string {
  const { reason } = detail[name];
  const words = t();
  if (reason) return words.reason[reason] ?? reason;
  const isWeak = isNeighbours(name) && (detail[name].rows ?? []).length > 0;
  return isWeak ? words.product.nothingExpected(figure(LEAST, "count")) : words.product.nothing;
}

/** Whether a block has nothing to show: those are listed together, in a line each. */
export function isEmptyBlock(detail: Detail, name: BlockName): boolean {
  const block = detail[name];
  if (isNeighbours(name)) return block.state !== "error" && neighboursOf(detail[name].rows).length === 0;
  if (name === "funnel") return block.state === "no_base" || (block as Detail["funnel"]).views === null;
  return block.state !== "error" && ((block as Block).rows ?? []).length === 0;
}

export function EmptyBlocks({ detail, old }: { detail: Detail; old: string | undefined }) {
  const words = t();
  const empty = BLOCKS.filter((name) => isEmptyBlock(detail, name));
  if (empty.length === 0) return null;
  return (
    <section class="card-box" aria-label={words.product.emptyTitle}>
      <header class="card-head">
        <h2>{words.product.emptyTitle}</h2>
      </header>
      <ul class="empty-blocks">
        {empty.map((name) => (
          <li key={name} data-block={name}>
            <strong>{words.product[name]}</strong> <span>· {nothingIn(detail, name)}</span>
          </li>
        ))}
      </ul>
      {old !== undefined && empty.some((name) => UNTIL_TODAY.includes(name)) && (
        <p class="note">{words.product.emptyOld(day(old))}</p>
      )}
    </section>
  );
}

/** A block with its state, unless everything is well. */
export function Stated({ block, children }: { block: Block; children: ComponentChildren }) {
  const words = t();
  const { state, reason } = block;
  return (
    <>
      {(state === "error" || state === "no_base") && (
        <p class="block-state">
          <span class={`chip ${state}`}>{words.product.states[state]}</span>
          {reason && <span>{words.reason[reason] ?? reason}</span>}
        </p>
      )}
      {state !== "error" && children}
    </>
  );
}

interface BlockCardProps extends Part {
  readonly question?: string;
  readonly table?: (detail: Detail) => ComponentChildren;
  readonly children: (detail: Detail) => ComponentChildren;
}

/** The card of a block, with the days that it covers if they are not those of the period. */
export function BlockCard({ name, detail, query, span, question, table, children }: BlockCardProps) {
  const words = t().product;
  return (
    <Card
      name={name}
      title={words[name]}
      {...(question ? { question } : {})}
      query={query}
      answer={detail}
      span={span}
      sql={sqlOfBlock(name, query)}
      {...(table ? { table } : {})}
    >
      {(data) => {
        const { window: covered, periodApplied } = data[name];
        const isOther = covered && periodApplied.basis !== "requested";
        return (
          <Stated block={data[name] as Block}>
            {children(data)}
            {isOther && <p class="note">{words.window(range(covered.from, covered.to))}</p>}
          </Stated>
        );
      }}
    </Card>
  );
}
