/** Texts as the rules read them: e-mails [D5], UTMs [D12], channels [D15]. */

/** URL-decoded once; invalid sequences stay unchanged. */
function decoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    let read = "";
    for (let at = 0; at < run.length; ) {
      // A character has one to four bytes.
      const bytes = [4, 3, 2, 1].find((count) => isCharacter(run.slice(at, at + 3 * count)));
      const code = run.slice(at, at + 3 * (bytes ?? 1));
      read += bytes ? decodeURIComponent(code) : code;
      at += code.length;
    }
    return read;
  });
}

function isCharacter(code: string): boolean {
  try {
    return [...decodeURIComponent(code)].length === 1;
  } catch {
    return false;
  }
}

/** [D12]; empty text matches nothing and counts as missing. */
export function normalized(text: string | null): string | null {
  if (text === null) return null;
  const read = decoded(text)
    .replaceAll(/[+_\-\s]+/gu, " ")
    .trim()
    .toLowerCase();
  return read === "" ? null : read;
}

/** [D13]: `*` stands for anything. */
export function fits(pattern: string, text: string | null): boolean {
  const wanted = normalized(pattern);
  const found = normalized(text);
  if (wanted === null || found === null) return false;
  const parts = wanted.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "su").test(found);
}

const MASK = /(-\d+b?\.ct\.vtex\.com\.br)+$/;
const ALIAS_LOCAL = /^(no|sem|nao)[-_.]?(e?mail|reply|informado|tem)$/;
const ALIAS_DOMAIN = /^(marketplace\.amazon\.|mail\.mercadolivre\.|mail\.mercadolibre\.)/;

const FILLERS = ["0", "-1", "-", "nan", "none", "null", "nat", "n/a", "#n/a", "\\n", "(null)", "undefined"];

/** A text that is no filler [D5]. */
export function unlessFiller(text: string | null): string | null {
  const word = (text ?? "").trim().toLowerCase();
  return FILLERS.includes(word) || /^\{?0{8}(-?0{4}){3}-?0{12}\}?$/.test(word) ? null : text;
}

/** The person's own e-mail, trimmed and in lower case; null if the text contains none. */
export function realEmail(text: string | null): string | null {
  const email = (unlessFiller(text) ?? "").trim().toLowerCase().replace(MASK, "");
  const parts = email.split("@");
  const [local, domain] = parts;
  if (parts.length !== 2 || local === undefined || domain === undefined) return null;
  if (domain === "ct.vtex.com.br" || domain.endsWith(".ct.vtex.com.br")) return null;
  return ALIAS_DOMAIN.test(domain) || ALIAS_LOCAL.test(local) ? null : email;
}

export const LABELS = {
  direct: "Direto",
  searchads: "Busca paga",
  socialads: "Social pago",
  email: "E-mail",
  affiliate: "Afiliados",
  organic_social: "Social orgânico",
  organic_search: "Busca orgânica",
  referral: "Referência",
  other: "Outros",
  unknown: "Desconhecido",
} as const;
export type Channel = keyof typeof LABELS;
export const CHANNELS = Object.keys(LABELS) as Channel[];

const PAID = /^(.*cp.*|ppc|paid.*|retargeting|remarketing|ads?|display|sem|pago|midia ?paga)$/s;
const SEARCH = ["google", "bing", "adwords"];
const SOCIAL = ["facebook", "instagram", "meta", "fb", "ig", "messenger", "tiktok"];
const MAIL = ["email", "e mail", "newsletter", "email marketing", "mail", "mailing"];
const AFFILIATE = ["affiliate", "affiliates", "afiliado", "afiliados"];
const SOCIAL_TOO = [...SOCIAL, "youtube", "pinterest", "linkedin", "twitter", "x", "whatsapp", "threads"];
const SOCIAL_MEDIA = ["social", "social network", "social media", "sm", "organic social"];
const SEARCH_TOO = ["google", "bing", "yahoo", "duckduckgo", "ecosia", "baidu", "yandex"];

/** [D15], test by test. */
export function channelOf(utm: { source: string | null; medium: string | null; campaign: string | null }): Channel {
  const source = normalized(utm.source) ?? "";
  const medium = normalized(utm.medium) ?? "";
  const campaign = normalized(unlessFiller(utm.campaign)) ?? "";
  const words = source.split(/[ .]+/);
  const aWord = (some: readonly string[]): boolean => words.some((word) => some.includes(word));
  const paid = PAID.test(medium);
  if (source === "" && medium === "" && campaign === "") return "direct";
  if (paid && aWord(SEARCH)) return "searchads";
  if (paid && aWord(SOCIAL)) return "socialads";
  if (MAIL.includes(medium) || MAIL.includes(source)) return "email";
  if (AFFILIATE.includes(medium) || AFFILIATE.includes(source)) return "affiliate";
  if (paid) return "other";
  if (aWord(SOCIAL_TOO) || SOCIAL_MEDIA.includes(medium)) return "organic_social";
  if (aWord(SEARCH_TOO) || ["organic", "organic search", "seo"].includes(medium)) return "organic_search";
  if (["referral", "link", "app"].includes(medium)) return "referral";
  const nothing = ["(none)", "none", "(not set)", ""].includes(medium);
  return ["(direct)", "direct"].includes(source) && nothing && campaign === "" ? "direct" : "other";
}

/** Groups of payments [D89]. */
export const PAYMENT_LABELS: Readonly<Record<string, string>> = {
  pix: "Pix",
  boleto: "Boleto",
  credit_card: "Cartão de crédito",
  debit_card: "Cartão de débito",
  wallet: "Carteira digital",
  other: "Outros",
  gift_card: "Vale-presente",
};
