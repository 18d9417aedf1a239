import type { AnalysisEndpoint, Block, BlocksEndpoint, DocumentEndpoint, Endpoint } from "../contract/endpoint.ts";
import { blockState, ENVELOPE, PAGE, WINDOW } from "../contract/envelope.ts";
import { array, choice, type Figure, type Figures, instant, object, orNull, word } from "../contract/figure.ts";
import type { Param } from "../contract/param.ts";
import { servedFigures } from "../contract/record.ts";

/** Everything an endpoint's answer holds, from its root. */
export function answerFigures(endpoint: Endpoint): Figures {
  switch (endpoint.shape) {
    case "page":
      return {
        data: array(servedFigures(endpoint.record), `The page's rows: ${endpoint.record.grain}`),
        meta: object(PAGE, "Where in all rows the page lies."),
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

/** The figures, those of these names only when something is so. */
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
  return always ? figure : orNull(figure, "it was not sent");
}

function ofDocument({ head, parts, select }: DocumentEndpoint): Figures {
  const chosen: Figures = select
    ? {
        selectedColumns: { unit: { choices: select.metrics }, description: "The metrics that the rows carry." },
        availableColumns: { unit: { choices: select.metrics }, description: "The metrics there are." },
      }
    : {};
  const members = Object.entries(parts).map(([name, part]): [string, Figure] => {
    const figures =
      select && part.selected
        ? onlyWhen(part.figures, select.metrics, `\`${select.parameter}\` names it, or is not sent`)
        : part.figures;
    const figure =
      part.rows === "many"
        ? array(figures, "The rows, in order.")
        : object(figures, "Where in all rows the page lies.");
    return [name, part.when ? { ...figure, presentWhen: `\`${part.when}\` is not \`false\`` } : figure];
  });
  return { ...head?.figures, ...chosen, ...Object.fromEntries(members) };
}

function ofBlocks({ blocks, echo: echoes, params }: BlocksEndpoint): Figures {
  return {
    ...echoed(echoes, params),
    asOf: orNull(instant("When the block that is furthest behind was fresh."), "no block tells"),
    period: object(WINDOW, "The period asked for."),
    ...Object.fromEntries(
      Object.entries(blocks).map(([name, block]): [string, Figure] => [
        name,
        {
          unit: { either: [{ ...blockState(block), ...block.figures }, inError(block)] },
          description: "A block by itself: read, or in `error` while others are not.",
        },
      ]),
    ),
  };
}

/** A block that could not be read; the next request tries again. */
function inError({ basis, figures }: Block): Figures {
  const nothing: Figure = { unit: "null", description: "Not known." };
  return {
    state: choice(["error"], "It could not be read; the next request tries again."),
    reason: choice(["source_unavailable"], "Why."),
    asOf: nothing,
    periodApplied: object({ basis: choice([basis], "What it would have looked at.") }, "What was looked at."),
    window: basis === "requested" ? object(WINDOW, "The period asked for.") : nothing,
    ...Object.fromEntries(Object.keys(figures).map((name) => [name, nothing])),
  };
}
