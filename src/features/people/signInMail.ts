import { escaped, type Mail, unlinked } from "../mail/mail.ts";
import type { Language } from "./people.ts";
import type { Kind } from "./signIns.ts";

interface Wording {
  readonly subject: string;
  readonly lead: string;
  readonly button: string;
  readonly code: string;
  readonly ends: string;
  readonly unasked: string;
}

const WORDS: Readonly<Record<Language, Readonly<Record<Kind, (where: string) => Wording>>>> = {
  "pt-BR": {
    link: (where) => ({
      subject: "Seu link para entrar no Lucra",
      lead: `Você pediu para entrar no Lucra em ${where}.`,
      button: "Entrar",
      code: "Se a página pedir, o código é",
      ends: "O link funciona uma vez, por 15 minutos.",
      unasked: "Se não foi você, ignore este e-mail: sem ele ninguém entra.",
    }),
    invitation: (where) => ({
      subject: `Convite para ${where} no Lucra`,
      lead: `Você foi convidado para ver os números de ${where} no Lucra.`,
      button: "Aceitar o convite",
      code: "A página vai pedir este código:",
      ends: "O convite funciona uma vez, por 7 dias.",
      unasked: "Se você não esperava este convite, ignore este e-mail.",
    }),
  },
  en: {
    link: (where) => ({
      subject: "Your link to sign in to Lucra",
      lead: `You asked to sign in to Lucra at ${where}.`,
      button: "Sign in",
      code: "If the page asks for it, the code is",
      ends: "The link works once, for 15 minutes.",
      unasked: "If it was not you, ignore this mail: nobody signs in without it.",
    }),
    invitation: (where) => ({
      subject: `Invitation to ${where} on Lucra`,
      lead: `You were invited to see the figures of ${where} on Lucra.`,
      button: "Accept the invitation",
      code: "The page will ask for this code:",
      ends: "The invitation works once, for 7 days.",
      unasked: "If you did not expect this invitation, ignore this mail.",
    }),
  },
};

interface Parts {
  readonly to: string;
  readonly kind: Kind;
  readonly link: string;
  readonly code: string;
  readonly language: Language;
  /** The address of the service, or the name of the organization that invites. */
  readonly where: string;
}

/** The code in two halves, which are easier to read. */
const halves = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** The name of an organization is whatever its admin wrote. */
const named = (where: string): string => unlinked(where.replace(/\p{C}+/gu, " ").slice(0, 100));

/** The mail with a link and its code. */
export function signInMail({ to, kind, link, code, language, where }: Parts): Mail {
  const words = WORDS[language][kind](kind === "link" ? where : named(where));
  const shown = halves(code);
  return {
    to,
    subject: words.subject,
    text: [words.lead, "", link, "", `${words.code} ${shown}`, "", words.ends, words.unasked, ""].join("\n"),
    html: `<!doctype html>
<html lang="${language}"><body style="font-family:system-ui,sans-serif;line-height:1.5">
<p>${escaped(words.lead)}</p>
<p><a href="${escaped(link)}" style="display:inline-block;padding:10px 18px;background:#14532d;color:#fff;border-radius:6px;text-decoration:none">${escaped(words.button)}</a></p>
<p>${escaped(words.code)} <b style="font-size:1.25em;letter-spacing:.08em">${shown}</b></p>
<p>${escaped(words.ends)}<br>${escaped(words.unasked)}</p>
</body></html>
`,
  };
}
