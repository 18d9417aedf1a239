import { escaped } from "../mail/mail.ts";
import type { FigureRow, Letter, Linked } from "./letter.ts";
import { WORDS } from "./words.ts";

/** Addresses of the page, and what ends the letter. */
interface Places {
  /** The Explorer's address, without what follows `#`. */
  readonly explorer: string;
  /** Ends this letter, or all of them, for this person; a letter to a channel has none. */
  readonly end?: string | undefined;
}

const INK = "#1c1917";
const MUTED = "#57534e";
const LINE = "#d6d3d1";
const LINK = "#14532d";
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** What mail programs in the dark may use; those that know nothing of it keep the colours above. */
const DARK = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#1c1917!important}.sheet{background:#292524!important}
.ink{color:#f5f5f4!important}.muted{color:#c4bfba!important}.link{color:#86efac!important}
.line{border-color:#57534e!important}.first{background:#422006!important;color:#fde68a!important}
}
@media (max-width:480px){td.sheet{padding:16px!important}.cell{padding:8px 4px!important}}`;

/** What a figure was before, and how it changed, if that is known. */
const beside = (word: string, before: string, change: string | undefined): string =>
  [`${word} ${before}`, ...(change === undefined ? [] : [change])].join(", ");

/** The letter as a page of tables, without any remote part. */
export function htmlOf(letter: Letter, { explorer, end }: Places): string {
  const { language, title, beside: lead, first, figures, blocks, address, foot = WORDS[language].why } = letter;
  const words = WORDS[language];
  const link = (one: Linked): string =>
    one.address === undefined
      ? escaped(one.text)
      : `<a class="link" href="${escaped(`${explorer}#${one.address}`)}" style="color:${LINK}">${escaped(one.text)}</a>`;
  const cell = (align: "left" | "right"): string =>
    `class="cell line ink" align="${align}" valign="top" style="padding:8px;border-bottom:1px solid ${LINE};${FONT};font-size:15px;font-weight:normal;line-height:1.5;color:${INK}"`;
  const small = (content: string): string =>
    `<br><span class="muted" style="font-size:13px;color:${MUTED}">${content}</span>`;
  // What a figure was before stands below it: four columns of amounts are wider than a phone.
  const row = ({ label, shown, shownBefore, change, note }: FigureRow): string =>
    `<tr><th scope="row" width="40%" ${cell("left")}>${escaped(label)}${note ? small(escaped(note)) : ""}</th>` +
    `<td ${cell("right")}><b style="white-space:nowrap">${link(shown)}</b>${small(beside(escaped(words.before), link(shownBefore), change && escaped(change)))}</td></tr>`;
  const text = (content: string, size = 15): string =>
    `<p class="ink" style="margin:0 0 12px;${FONT};font-size:${size}px;line-height:1.5;color:${INK}">${content}</p>`;
  // A sentence leads somewhere as a whole; underlined it would be hard to read.
  const sentence = (one: Linked): string =>
    one.address === undefined
      ? escaped(one.text)
      : `<a class="ink" href="${escaped(`${explorer}#${one.address}`)}" style="color:${INK};text-decoration:none">${escaped(one.text)}&nbsp;<span class="link" style="color:${LINK}">→</span></a>`;
  const block = ({ title: heading, lines }: Letter["blocks"][number]): string =>
    `<h2 class="ink" style="margin:24px 0 8px;${FONT};font-size:17px;color:${INK}">${escaped(heading)}</h2>${lines.map((line) => text(sentence(line))).join("")}`;
  const table =
    figures.length === 0
      ? ""
      : `<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">
${figures.map(row).join("\n")}
</table>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escaped(title)}</title><style>${DARK}
</style></head>
<body class="page" style="margin:0;padding:0;background:#f5f5f4">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f5f4"><tr><td align="center" style="padding:16px 8px">
<table class="sheet" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:640px;background:#ffffff;border-radius:8px"><tr><td class="sheet" style="padding:24px">
<h1 class="ink" style="margin:0 0 8px;${FONT};font-size:22px;line-height:1.3;color:${INK}">${escaped(title)}</h1>
<p class="muted" style="margin:0 0 16px;${FONT};font-size:14px;line-height:1.5;color:${MUTED}">${escaped(lead)}</p>
${first.map((one) => `<p class="first" style="margin:0 0 12px;padding:12px;border-radius:6px;background:#fef3c7;${FONT};font-size:15px;line-height:1.5;color:#78350f">${escaped(one)}</p>`).join("\n")}
${table}
${blocks.map(block).join("\n")}
<p style="margin:24px 0 16px"><a href="${escaped(`${explorer}#${address}`)}" style="display:inline-block;padding:10px 18px;background:${LINK};color:#ffffff;border-radius:6px;text-decoration:none;${FONT};font-size:15px">${escaped(words.open)}</a></p>
<p class="muted" style="margin:0;${FONT};font-size:13px;line-height:1.5;color:${MUTED}">${escaped(foot)}${end === undefined ? "" : `<br><a class="link" href="${escaped(end)}" style="color:${LINK}">${escaped(letter.endsAll ? words.endAll : words.end)}</a>`}</p>
</td></tr></table></td></tr></table></body></html>
`;
}

/** The same as text. */
export function textOf(letter: Letter, { explorer, end }: Places): string {
  const { language, title, beside: lead, first, figures, blocks, address, foot } = letter;
  const words = WORDS[language];
  const row = ({ label, shown, shownBefore, change, note }: FigureRow): string =>
    `${label}: ${shown.text} (${beside(words.before, shownBefore.text, change)})${note ? `\n  ${note}` : ""}`;
  return [
    title,
    lead,
    ...first.flatMap((one) => ["", one]),
    "",
    ...figures.map(row),
    ...blocks.flatMap(({ title: heading, lines }) => ["", heading, ...lines.map((line) => `- ${line.text}`)]),
    "",
    `${words.open}: ${explorer}#${address}`,
    ...(end === undefined ? [] : [`${letter.endsAll ? words.endAll : words.end}: ${end}`]),
    ...(foot === undefined ? [] : [foot]),
    "",
  ].join("\n");
}

/** A text of the data in Slack's markup: it mentions nobody and makes no link. */
const slackText = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[*_~`]/g, "\u200b$&\u200b");

/** The letter as the body of an incoming webhook of Slack. */
export function slackOf(letter: Letter, { explorer }: Places): string {
  const { language, title, beside: lead, first, figures, blocks, address } = letter;
  const words = WORDS[language];
  const link = (one: Linked): string =>
    one.address === undefined ? slackText(one.text) : `<${explorer}#${one.address}|${slackText(one.text)}>`;
  const lines = [
    `*${slackText(title)}*`,
    slackText(lead),
    ...first.map(slackText),
    "",
    ...figures.map(
      ({ label, shown, shownBefore, change, note }) =>
        `${label}: *${link(shown)}* (${beside(words.before, link(shownBefore), change)})${note ? ` ${slackText(note)}` : ""}`,
    ),
    ...blocks.flatMap(({ title: heading, lines: all }) => ["", `*${heading}*`, ...all.map((one) => `• ${link(one)}`)]),
    "",
    `<${explorer}#${address}|${words.open}>`,
  ];
  return JSON.stringify({ text: lines.join("\n"), unfurl_links: false, unfurl_media: false });
}

/** The letter for the organization's webhook. */
export const dataOf = (letter: Letter, { explorer }: Places): object => {
  const linked = ({ text, address }: Linked): object => ({
    text,
    ...(address === undefined ? {} : { url: `${explorer}#${address}` }),
  });
  const { title, beside, first, figures, blocks } = letter;
  return {
    title,
    beside,
    first,
    figures: figures.map(({ name, value, before, shown }) => ({ name, value, before, ...linked(shown) })),
    blocks: blocks.map(({ name, title: heading, lines }) => ({ name, title: heading, lines: lines.map(linked) })),
  };
};
