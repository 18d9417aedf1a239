import { dictionary } from "../dictionary.ts";

export const organizations = dictionary(
  {
    list: "Neste servidor",
    rename: "Renomear",
    renameOf: (name: string) => `Renomear ${name}`,
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
    renameOf: (name) => `Rename ${name}`,
    faulty: "The settings file has faults: the earlier settings are in force. Repair it on the server.",
    create: "New organization",
    createLead: "It begins empty; connections and people come next.",
    createButton: "Create organization",
    name: "Name",
    currency: "Currency",
  },
);
