import { dictionary } from "../dictionary.ts";

export const organizationSettings = dictionary(
  {
    title: "Dados da organização",
    name: "Nome",
    locale: "Idioma",
    locales: { "pt-BR": "Português (Brasil)", en: "Inglês" },
    localeHint: "O dos e-mails a quem ainda não escolheu o seu.",
    currency: "Moeda",
    currencyHint: "Três letras, como BRL. Sem ela vale a das lojas.",
    currencyFixed: "Não muda mais: já há dados nesta moeda.",
  },
  {
    title: "Details of the organization",
    name: "Name",
    locale: "Language",
    locales: { "pt-BR": "Portuguese (Brazil)", en: "English" },
    localeHint: "That of mails to people who have not chosen theirs.",
    currency: "Currency",
    currencyHint: "Three letters, such as BRL. Without it that of the stores counts.",
    currencyFixed: "It no longer changes: there are data in this currency.",
  },
);
