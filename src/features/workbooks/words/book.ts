import type { Locale } from "../../../core/contract/dialect.ts";

/** The words of a workbook's sheet with definitions. */
export const BOOK = {
  "pt-BR": {
    definitions: "Definições",
    organization: "Organização",
    currency: "Moeda das quantias",
    period: "Período",
    wholeHistory: "Todo o histórico",
    asOf: "Dados até (UTC)",
    lacking: "Dados terminam antes do fim do período",
    address: "Endereço",
    filters: "Filtros e opções",
    instants: "Instantes estão em UTC. Números são os da API: um formato não os muda, e 12,5 % é 12,5.",
    columns: ["Planilha", "Título", "Campo", "Unidade", "Definição", "Fórmula", "Sem valor quando"],
    to: "a",
  },
  en: {
    definitions: "Definitions",
    organization: "Organization",
    currency: "Currency of amounts",
    period: "Period",
    wholeHistory: "Whole history",
    asOf: "Data as of (UTC)",
    lacking: "Data end before the period does",
    address: "Address",
    filters: "Filters and options",
    instants: "Instants are in UTC. Numbers are those of the API: a format does not change them, and 12.5 % is 12.5.",
    columns: ["Sheet", "Heading", "Field", "Unit", "Definition", "Formula", "No value when"],
    to: "to",
  },
} as const satisfies Readonly<Record<Locale, unknown>>;
