import { type AnswerPart, type AnyEndpoint, type Block, ROOT } from "./endpoint.ts";
import { blockState, ENVELOPE, PAGE, SENT_FILTERS, WINDOW } from "./envelope.ts";
import { array, choice, type Field, type Fields, object, orNull, text } from "./field.ts";
import type { Param } from "./param.ts";

/** All figures of an endpoint's answer, from its root. */
export function answerFields({ envelope = [], filters, echo = [], params, select, parts }: AnyEndpoint): Fields {
  const { [ROOT]: root, ...others } = parts;
  const named = Object.entries(others).filter(([, { inTables }]) => !inTables);
  const all = Object.values(parts);
  const members = named.map(([name, part]) => [name, memberOf(part, select)]);
  return {
    ...pick(ENVELOPE, envelope),
    ...(filters ? { filters: SENT_FILTERS } : {}),
    ...Object.fromEntries(echo.map((name) => [name, echoed(params[name])])),
    ...Object.fromEntries(all.flatMap(leftOut)),
    ...(root ? shown(root, select) : {}),
    ...(select ? selection(select) : {}),
    ...Object.fromEntries(members),
    ...(all.some(({ paged }) => paged) ? { meta: object(PAGE, "Position of the page.") } : {}),
  };
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

function echoed(param: Param | undefined): Field {
  const figure =
    param?.kind === "choice" ? choice(param.of, "The parameter as accepted.") : text("The parameter as accepted.");
  const always = param?.required || (param?.kind === "choice" && param.fallback !== undefined);
  return always ? figure : orNull(figure, "the parameter was not sent");
}

const leftOut = ({ leftOut }: AnswerPart): [string, Field][] =>
  leftOut ? [[leftOut.column, { ...leftOut.field, presentWhen: "rows are left out" }]] : [];

const selection = ({ metrics }: NonNullable<AnyEndpoint["select"]>): Fields => ({
  selectedColumns: { unit: { choices: metrics }, description: "The metrics that the rows carry." },
  availableColumns: { unit: { choices: metrics }, description: "All available metrics." },
});

/** The member of the answer that a part is. */
function memberOf(part: AnswerPart | Block, select: AnyEndpoint["select"]): Field {
  if ("basis" in part) return blockOf(part);
  const fields = shown(part, select);
  const { rows, description = "The rows, in order.", when, nullIf } = part;
  const figure = rows === "many" ? array(fields, description) : object(fields, description);
  if (when) return { ...figure, presentWhen: `\`${when}\` is not \`false\`` };
  return nullIf ? orNull(figure, `\`${nullIf.parameter}\` is ${nullIf.isSent ? "sent" : "not sent"}`) : figure;
}

/** The fields of a part; some are present only in one case. */
function shown({ fields, only, selected }: AnswerPart, select: AnyEndpoint["select"]): Fields {
  if (only) return onlyWhen(fields, only.fields, `\`${only.parameter}\` is sent`);
  if (!selected || !select) return fields;
  return onlyWhen(fields, select.metrics, `\`${select.parameter}\` names it, or is not sent`);
}

const onlyWhen = (fields: Fields, names: readonly string[], presentWhen: string): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, figure]) => [name, names.includes(name) ? { ...figure, presentWhen } : figure]),
  );

const blockOf = (block: Block): Field => ({
  unit: { either: [{ ...blockState(block), ...block.fields }, inError(block)] },
  description: "An independent block: its figures, or `error` if it could not be read.",
});

/** A block that could not be read; the next request tries again. */
function inError({ basis = "requested", fields }: Block): Fields {
  const nothing: Field = { unit: "null", description: "Unknown." };
  return {
    state: choice(["error"], "It could not be read; the next request tries again."),
    reason: choice(["source_unavailable"], "Why it could not be read."),
    asOf: nothing,
    periodApplied: object({ basis: choice([basis], "The period it would cover.") }, "The days that the block covers."),
    window: basis === "requested" ? object(WINDOW, "The requested period.") : nothing,
    ...Object.fromEntries(Object.keys(fields).map((name) => [name, nothing])),
  };
}
