import express, { type Request, type Response, type Router } from "express";
import { UUID } from "../../core/contract/param.ts";
import { SlidingLog } from "../../core/http/rateLimit.ts";
import { escaped } from "../mail/mail.ts";
import { type EndDependencies, endLetters, toBeEnded } from "./end.ts";
import { type Language, WORDS } from "./words.ts";

export const PATH = "/letters/:organization/:token";

/** Requests of all addresses together in 60 seconds: nobody ends so many letters. */
const LIMIT = 600;
const TOKEN = /^[\w-]{43}$/;

interface Dependencies extends EndDependencies {
  /** The service writes nothing: it ends no letter. */
  readonly readOnly: boolean;
}

/**
 * What ends a letter (RFC 8058): opening the address shows a button and changes nothing, as mail programs open addresses by themselves;
 * `POST`, by the button or the mail program, ends this letter for this person, without a sign-in. Alerts come with letters: the address of
 * one ends all letters of the person.
 */
export function endRoutes(deps: Dependencies): Router {
  const limit = new SlidingLog(LIMIT);
  const router = express.Router({ caseSensitive: true, strict: true });
  const answer = async (request: Request, response: Response, ends: boolean): Promise<void> => {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Robots-Tag", "noindex");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    const language: Language = request.acceptsLanguages("pt-BR", "pt", "en") === "en" ? "en" : "pt-BR";
    if (limit.increment("all").totalHits > limit.limit) return void response.status(429).end();
    const { organization = "", token = "" } = request.params as Record<string, string>;
    const isAddress = UUID.test(organization) && TOKEN.test(token);
    const found = isAddress ? await toBeEnded(deps, organization.toLowerCase(), token) : undefined;
    const words = WORDS[language];
    if (!found) return show(response, language, words.gone);
    const { to = "", on } = found.ended;
    if (!ends) {
      const lead = on === "alert" ? words.endAllLead(found.name) : words.endLead(words.kinds[on], found.name);
      return show(response, language, lead, words.endButton);
    }
    if (deps.readOnly) return void response.status(403).end();
    await endLetters(deps, organization.toLowerCase(), to, on === "alert" ? { to } : { to, on });
    show(response, language, on === "alert" ? words.endedAll : words.ended);
  };
  router.get(PATH, (request, response) => answer(request, response, false));
  router.post(PATH, (request, response) => answer(request, response, true));
  return router;
}

function show(response: Response, language: Language, lead: string, button?: string): void {
  const { endTitle } = WORDS[language];
  response.type("html").send(`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escaped(endTitle)}</title>
<style>:root{color-scheme:light dark}body{font-family:system-ui,sans-serif;line-height:1.5;max-width:32rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1rem;border-radius:6px;border:0;background:#14532d;color:#fff}</style></head>
<body><h1>${escaped(endTitle)}</h1><p>${escaped(lead)}</p>${button === undefined ? "" : `<form method="post"><button>${escaped(button)}</button></form>`}</body></html>
`);
}
