import type { Endpoint } from "../../core/contract/endpoint.ts";
import { inEnglish } from "../../core/contract/english.ts";
import { ApiError, QueryError } from "../../core/contract/error.ts";
import { answerTo } from "../../core/contract/failures.ts";
import type { Accepted } from "../../core/contract/param.ts";
import { type Sent, validate } from "../../core/params/validate.ts";
import { definitionsOf } from "./definitions.ts";
import { thenOf } from "./known.ts";
import { resolveOrganization } from "./organization.ts";
import { capped, type More, type Result, type Shortened } from "./reduce.ts";
import { reduce } from "./reducing.ts";
import { endpointOf, sectionFields } from "./sections.ts";
import {
  type AnswerTool,
  type Call,
  type OtherTool,
  type Said,
  type Tool,
  type ToolBackend,
  ToolError,
} from "./tool.ts";
import { parameterIn } from "./tools/explain.ts";

/** The arguments of a tool as parameters, so that they are checked, and refused, like those of an endpoint. */
function accept(tool: Tool, given: unknown, now: Date): Accepted {
  return validate(asEndpoint(tool), sentOf(given), now);
}

const kept = new WeakMap<Tool, Endpoint>();

function asEndpoint(tool: Tool): Endpoint {
  const known = kept.get(tool);
  if (known) return known;
  const made: Endpoint = {
    path: tool.name,
    summary: tool.title,
    params: tool.input,
    unknown: "refused",
    cacheSeconds: 0,
    parts: {},
  };
  kept.set(tool, made);
  return made;
}

/** The most members of the arguments: no tool takes half as many. */
export const MOST_MEMBERS = 50;

/** Numbers, flags and lists as the texts that a request would have. Null is not sent. */
function sentOf(given: unknown): Sent {
  if (given === undefined || given === null) return {};
  if (typeof given !== "object" || Array.isArray(given))
    throw new ToolError({ pt: "`arguments` deve ser um objeto.", en: "`arguments`: an object is expected." });
  const sent: Record<string, string | string[]> = Object.create(null);
  const members = Object.entries(given);
  if (members.length > MOST_MEMBERS) {
    throw new ToolError({
      pt: `\`arguments\` tem mais de ${MOST_MEMBERS} membros.`,
      en: `\`arguments\` has more than ${MOST_MEMBERS} members.`,
    });
  }
  for (const [name, value] of members) {
    if (value === null) continue;
    sent[name] = Array.isArray(value) ? value.map((part) => textOf(name, part)) : textOf(name, value);
  }
  return sent;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new ToolError({
    pt: `\`${name}\`: um texto, um número, true, false ou uma lista deles é esperado.`,
    en: `\`${name}\`: a text, a number, true, false or a list of them is expected.`,
  });
}

/** The result of a call, at most 25 kB long. Fails with a `ToolError` or an `ApiError`. */
export async function callTool(tool: Tool, given: unknown, backend: ToolBackend): Promise<Result> {
  const args = accept(tool, given, backend.now());
  return "output" in tool ? other(tool, args, backend) : answers(tool, args, backend);
}

async function other(tool: OtherTool, args: Accepted, backend: ToolBackend): Promise<Result> {
  const { notes = [], ...found } = await tool.run(args, backend);
  const result: Result = { ...found, notes: notes as string[], more: [] };
  const lists = tool.lists
    .filter((name) => Array.isArray(result[name]))
    .map((name): Shortened => {
      const rows = (result[name] as unknown[]).length;
      const total = "total" in found && name === tool.lists[0] ? Number(found.total) : rows;
      return { holder: result, name, keep: "first", path: name, total };
    });
  const fitted = capped(result, lists, () => "send a larger `top` or a narrower search");
  if (found.truncated === true)
    fitted.notes.push("The query has more rows: aggregate, filter, or page with `order by … limit … offset …`.");
  return fitted;
}

async function answers(tool: AnswerTool, args: Accepted, backend: ToolBackend): Promise<Result> {
  const inAddress = (name: string) => (args.address ? parameterIn(String(args.address), name) : undefined);
  const named = args.organization ?? inAddress("organizationId");
  const organization = await resolveOrganization(backend, named === null ? undefined : named?.toString());
  const then = await thenOf(backend, organization.id, args.known_at ?? inAddress("knownAt"));
  const compared = await thenOf(backend, organization.id, args.compared_at, "compared_at");
  const asOf = tool.isOfTwoStates ? compared : then;
  const incomplete = new Set<string>();
  const bodyOf = async (path: string, sent: Sent): Promise<Buffer> => {
    const asked = { ...sent, knownAt: then?.asked, comparedAt: compared?.asked };
    const answered = await backend.ask(organization.id, endpointOf(path), asked);
    for (const record of answered.incomplete) incomplete.add(record);
    return answered.body;
  };
  const ask: Call["ask"] = async (path, sent) => JSON.parse((await bodyOf(path, sent)).toString());
  const today = (asOf?.knownAt ?? backend.now().toISOString()).slice(0, 10);
  const call: Call = { args, organization: { ...organization, ...asOf }, today, ask };
  const plan = await tool.plan(call);
  const { currency = null, id, name } = call.organization;
  const found: Record<string, unknown> = {};
  const more: More[] = [];
  const lists: Shortened[] = [];
  const definitions: Record<string, string> = {};
  const asked = await Promise.all(
    Object.entries(plan.questions).map(async ([name, question]) => {
      const declared = tool.sections[name];
      if (!declared) throw new Error(`${tool.name} has no section ${name}`);
      const body = await bodyOf(declared.endpoint, question.sent);
      const address = addressOf(declared.endpoint, id, {
        ...question.sent,
        knownAt: then?.knownAt,
        comparedAt: compared?.knownAt,
      });
      return { name, declared, ...(await reduce({ body, name, section: declared, question, address }, backend.leave)) };
    }),
  );
  for (const { name: section, declared, answer: part, lists: own, cells } of asked) {
    found[section] = part;
    lists.push(...own);
    more.push(...cells);
    Object.assign(definitions, definitionsOf(section, sectionFields(declared), part, currency));
  }
  const notes = [...(plan.notes ?? []), ...new Set(asked.flatMap(({ lacks }) => lacks))];
  if (incomplete.size > 0)
    notes.push(`Landed files are lost, and figures lack their rows: ${[...incomplete].join(", ")}.`);
  const { period } = plan;
  const result: Result = {
    organization: { id, name, currency },
    ...(then ? { knownAt: then.knownAt } : {}),
    ...(period ? { period: { from: period.from ?? null, to: period.to ?? null, how: period.how } } : {}),
    ...found,
    more,
    notes,
    definitions,
  };
  const pages = tool.input.page ? ", the next `page`" : "";
  return capped(
    result,
    lists,
    () => `send a larger \`top\`${pages} or other filters; or GET the section's \`address\``,
  );
}

/** The request to the API that has the whole answer. */
function addressOf(path: string, organizationId: string, sent: Sent): string {
  const inPath = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(sent[name] ?? "")));
  const query = new URLSearchParams({ organizationId });
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined || value === null || path.includes(`:${name}`)) continue;
    for (const one of [value].flat()) query.append(name, one);
  }
  return `${inPath}?${query}`;
}

/** The most bytes of a failure, which may quote what was sent. */
const MOST_OF_FAILURE = 8_000;

/** The languages of failures. */
export type Language = keyof Said;

/** A failure as the agent reads it: what is wrong, and what to do. */
export function failureText(error: unknown, requestId: string, language: Language = "en"): string {
  return cutToBytes(wholeFailureText(error, requestId, language), MOST_OF_FAILURE);
}

/** The text, or its beginning: no character is cut in two. */
function cutToBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return `${bytes.subarray(0, end).toString()}…`;
}

/** A message of the API, in the language of the client; what has no translation stays as it is. */
export const spoken = (message: string, language: Language): string =>
  language === "pt" ? message : (inEnglish(message) ?? message);

function wholeFailureText(error: unknown, requestId: string, language: Language): string {
  if (error instanceof ToolError) return error.said[language];
  // Its message is the engine's, for the author of the query.
  if (error instanceof QueryError) return error.message;
  const { status, headers, body } = answerTo(error, requestId);
  const details = error instanceof ApiError ? error.details : [];
  const lines = details.map(({ parameter, message }) => `- ${parameter}: ${spoken(message, language)}`);
  const wait = headers?.["Retry-After"];
  const again = { pt: `Tente de novo em ${wait} s.`, en: `Try again in ${wait} s.` };
  return [
    `${status} ${body.error ?? ""}: ${spoken(String(body.message), language)}`,
    ...(details.length > 0 ? lines : []),
    ...(wait ? [again[language]] : []),
    ...(status === 500 ? [`requestId: ${requestId}`] : []),
  ].join("\n");
}
