import type { AnalysisEndpoint, Block, BlocksEndpoint, DocumentEndpoint, Endpoint } from "../contract/endpoint.ts";
import { blockState, ENVELOPE, PAGE, WINDOW } from "../contract/envelope.ts";
import { array, choice, type Figure, type Figures, instant, object, orNull, word } from "../contract/figure.ts";
import type { Param } from "../contract/param.ts";
import { servedFigures } from "../contract/record.ts";

/** All figures of an endpoint's answer, from its root. */
export function answerFigures(endpoint: Endpoint): Figures {
  switch (endpoint.shape) {
    case "page":
      return {
        data: array(servedFigures(endpoint.record), `The page's rows: ${endpoint.record.grain}`),
        meta: object(PAGE, "Position of the page."),
      };
    case "document":
      return ofDocument(endpoint);
    case "blocks":
      return ofBlocks(endpoint);
    default:
      return ofAnalysis(endpoint);
  }
}

const pick = (figures: Figures, names: readonly string[]): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => names.includes(name)));

/** The figures; those with these names are present only in one case. */
const onlyWhen = (figures: Figures, names: readonly string[], presentWhen: string): Figures =>
  Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name, names.includes(name) ? { ...figure, presentWhen } : figure]),
  );

function ofAnalysis({ shape, envelope, echo = [], only, figures: declared, params }: AnalysisEndpoint): Figures {
  const figures = only ? onlyWhen(declared, only.figures, `\`${only.parameter}\` is sent`) : declared;
  const own = shape === "series" ? { data: array(figures, "The rows, in order.") } : figures;
  return { ...pick(ENVELOPE, envelope), ...echoed(echo, params), ...own };
}

const echoed = (names: readonly string[], params: Endpoint["params"]): Figures =>
  Object.fromEntries(names.map((name) => [name, echo(params[name])]));

function echo(param: Param | undefined): Figure {
  const figure =
    param?.kind === "choice" ? choice(param.of, "The parameter as accepted.") : word("The parameter as accepted.");
  const always = param?.required || (param?.kind === "choice" && param.fallback !== undefined);
  return always ? figure : orNull(figure, "the parameter was not sent");
}

function ofDocument({ head, parts, select }: DocumentEndpoint): Figures {
  const chosen: Figures = select
    ? {
        selectedColumns: { unit: { choices: select.metrics }, description: "The metrics that the rows carry." },
        availableColumns: { unit: { choices: select.metrics }, description: "All available metrics." },
      }
    : {};
  const members = Object.entries(parts).map(([name, part]): [string, Figure] => {
    const figures =
      select && part.selected
        ? onlyWhen(part.figures, select.metrics, `\`${select.parameter}\` names it, or is not sent`)
        : part.figures;
    const figure =
      part.rows === "many" ? array(figures, "The rows, in order.") : object(figures, "Position of the page.");
    return [name, part.when ? { ...figure, presentWhen: `\`${part.when}\` is not \`false\`` } : figure];
  });
  return { ...head?.figures, ...chosen, ...Object.fromEntries(members) };
}

function ofBlocks({ blocks, echo: echoes, params }: BlocksEndpoint): Figures {
  return {
    ...echoed(echoes, params),
    asOf: orNull(instant("The oldest `asOf` of the blocks."), "no block has one"),
    period: object(WINDOW, "The requested period."),
    ...Object.fromEntries(
      Object.entries(blocks).map(([name, block]): [string, Figure] => [
        name,
        {
          unit: { either: [{ ...blockState(block), ...block.figures }, inError(block)] },
          description: "An independent block: its figures, or `error` if it could not be read.",
        },
      ]),
    ),
  };
}

/** A block that could not be read; the next request tries again. */
function inError({ basis, figures }: Block): Figures {
  const nothing: Figure = { unit: "null", description: "Unknown." };
  return {
    state: choice(["error"], "It could not be read; the next request tries again."),
    reason: choice(["source_unavailable"], "Why it could not be read."),
    asOf: nothing,
    periodApplied: object({ basis: choice([basis], "The period it would cover.") }, "The days that the block covers."),
    window: basis === "requested" ? object(WINDOW, "The requested period.") : nothing,
    ...Object.fromEntries(Object.keys(figures).map((name) => [name, nothing])),
  };
}
