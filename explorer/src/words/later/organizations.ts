import { dictionary } from "../dictionary.ts";

export const organizations = dictionary(
  {
    list: "Neste servidor",
    rename: "Renomear",
    faulty: "O arquivo de configurações tem erros: valem as configurações anteriores. Corrija-o no servidor.",
    create: "Nova organização",
    createLead: "Ela começa vazia; depois vêm as conexões e as pessoas.",
    createButton: "Criar organização",
    name: "Nome",
    currency: "Moeda",
  },
  {
    list: "At this server",
    rename: "Rename",
    faulty: "The settings file has faults: the earlier settings are in force. Repair it on the server.",
    create: "New organization",
    createLead: "It begins empty; connections and people come next.",
    createButton: "Create organization",
    name: "Name",
    currency: "Currency",
  },
);
