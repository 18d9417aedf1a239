/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Without angle brackets; the library makes one if there is none. */
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server that takes mails, from `LUCRA_SMTP_URL`, and the sender, from `LUCRA_MAIL_FROM`. */
export interface SmtpSettings {
  readonly url: string;
  readonly from: string;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as HTML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => escapes[one] ?? one);

/** A name that comes from data: short, without control characters, and nothing that a program would make a link of. */
export const named = (text: string): string => unlinked(text.slice(0, 100).replace(/\p{C}+/gu, " "));

/** A text of somebody else's, which a mail program must not make a link of: invisible breaks where an address would need none. */
export const unlinked = (text: string): string =>
  text.replace(/(?<=[\p{L}\p{N}:/])[.:/@](?=[\p{L}\p{N}/])/gu, "$&\u200b");
