import type {
  AnalysisEndpoint,
  AnyEndpoint,
  Block,
  BlocksEndpoint,
  DocumentEndpoint,
  Endpoint,
  Member,
} from "./endpoint.ts";
import { blockState, ENVELOPE, PAGE, WINDOW } from "./envelope.ts";
import {
  array,
  choice,
  currency,
  type Field,
  type Fields,
  instant,
  object,
  orNull,
  percent,
  ratio,
  text,
} from "./field.ts";
import type { Param } from "./param.ts";
import { rowFields } from "./record.ts";

/** All figures of an endpoint's answer, from its root. */
export function answerFields(endpoint: AnyEndpoint): Fields {
  switch (endpoint.shape) {
    case "page":
      return {
        data: array(rowFields(endpoint.record), `The page's rows: ${endpoint.record.grain}`),
        meta: object(PAGE, "Position of the page."),
      };
    case "document":
      return ofDocument(endpoint);
    case "blocks":
      return ofBlocks(endpoint);
    case "model":
      return { ...pick(ENVELOPE, endpoint.envelope), ...endpoint.fields };
    case "explain":
    case "sql":
    case "quality":
      return endpoint.fields;
    case "organizations":
      return { data: array({ ...ORGANIZATION, ...endpoint.fields }, "The organizations, by name.") };
    default:
      return ofAnalysis(endpoint);
  }
}

const target = (figure: Field): Field => orNull(figure, "the settings have none");

/** What the settings say of an organization, and whether its data can be read. */
const ORGANIZATION: Fields = {
  id: text("The organization, as `organizationId` names it."),
  name: text("Its name."),
  state: choice(
    ["ready", "preparing"],
    "`preparing`: its data are being derived, or repaired, and what is read from them is null.",
  ),
  targets: object(
    {
      cac: target(currency("The most that a new customer should cost, as `cac` of the cards.")),
      ltvCacRatio: target(ratio("The least `ltvCacRatio` of the cards.")),
      margin: target(percent("The least `marginPercent`.")),
      revenue: target(currency("The least revenue of a calendar month.")),
    },
    "The targets of its settings. No figure depends on them.",
  ),
};

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

/** The figures; those with these names are present only in one case. */
const onlyWhen = (fields: Fields, names: readonly string[], presentWhen: string): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, figure]) => [name, names.includes(name) ? { ...figure, presentWhen } : figure]),
  );

function ofAnalysis({
  shape,
  paged,
  checks,
  envelope,
  echoParams: echo = [],
  only,
  leftOut,
  members = {},
  fields: declared,
  params,
}: AnalysisEndpoint): Fields {
  const fields = only ? onlyWhen(declared, only.fields, `\`${only.parameter}\` is sent`) : declared;
  const own = shape === "series" ? { data: array(fields, "The rows, in order.") } : fields;
  const position: Fields = paged ? { meta: object(PAGE, "Position of the page.") } : {};
  const lacking: Fields = leftOut ? { [leftOut.column]: { ...leftOut.field, presentWhen: "rows are left out" } } : {};
  const further = Object.entries(members).map(([name, member]) => [name, ofMember(member)]);
  return {
    ...pick(ENVELOPE, envelope),
    ...echoed(echo, params),
    ...lacking,
    ...own,
    ...Object.fromEntries(further),
    ...position,
    ...(checks ? { checks } : {}),
  };
}

function ofMember({ rows, fields, description, nullIf }: Member): Field {
  const figure = rows === "many" ? array(fields, description) : object(fields, description);
  return nullIf ? orNull(figure, `\`${nullIf.parameter}\` is ${nullIf.isSent ? "sent" : "not sent"}`) : figure;
}

const echoed = (names: readonly string[], params: Endpoint["params"]): Fields =>
  Object.fromEntries(names.map((name) => [name, echo(params[name])]));

function echo(param: Param | undefined): Field {
  const figure =
    param?.kind === "choice" ? choice(param.of, "The parameter as accepted.") : text("The parameter as accepted.");
  const always = param?.required || (param?.kind === "choice" && param.fallback !== undefined);
  return always ? figure : orNull(figure, "the parameter was not sent");
}

function ofDocument({ head, parts, select }: DocumentEndpoint): Fields {
  const chosen: Fields = select
    ? {
        selectedColumns: { unit: { choices: select.metrics }, description: "The metrics that the rows carry." },
        availableColumns: { unit: { choices: select.metrics }, description: "All available metrics." },
      }
    : {};
  const members = Object.entries(parts).map(([name, part]): [string, Field] => {
    const fields =
      select && part.selected
        ? onlyWhen(part.fields, select.metrics, `\`${select.parameter}\` names it, or is not sent`)
        : part.fields;
    const figure =
      part.rows === "many" ? array(fields, "The rows, in order.") : object(fields, "Position of the page.");
    return [name, part.when ? { ...figure, presentWhen: `\`${part.when}\` is not \`false\`` } : figure];
  });
  return { ...head?.fields, ...chosen, ...Object.fromEntries(members) };
}

function ofBlocks({ blocks, echo: echoes, params }: BlocksEndpoint): Fields {
  return {
    ...echoed(echoes, params),
    asOf: orNull(instant("The oldest `asOf` of the blocks."), "no block has one"),
    period: object(WINDOW, "The requested period."),
    ...Object.fromEntries(
      Object.entries(blocks).map(([name, block]): [string, Field] => [
        name,
        {
          unit: { either: [{ ...blockState(block), ...block.fields }, inError(block)] },
          description: "An independent block: its figures, or `error` if it could not be read.",
        },
      ]),
    ),
  };
}

/** A block that could not be read; the next request tries again. */
function inError({ basis, fields }: Block): Fields {
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
