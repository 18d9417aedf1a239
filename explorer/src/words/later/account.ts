import { dictionary } from "../dictionary.ts";

/** The person's own sessions. */
export const account = dictionary(
  {
    isThis: "este navegador",
    since: (start: string, used: string) => `desde ${start}; último uso em ${used}`,
    end: "Encerrar",
    endOf: (device: string) => `Encerrar a sessão em ${device}`,
    unknown: "Navegador desconhecido",
    hint: "Uma sessão dura 30 dias, e termina depois de 7 sem uso. Não reconhece uma delas? Encerre-a.",
    here: "Sair deste navegador",
    everywhere: "Sair de todos",
    everywhereAsk: "Sair deste navegador e de todos os outros?",
    everywhereYes: "Sair de todos",
    no: "Cancelar",
  },
  {
    isThis: "this browser",
    since: (start, used) => `since ${start}; last used ${used}`,
    end: "End",
    endOf: (device) => `End the session on ${device}`,
    unknown: "Unknown browser",
    hint: "A session lasts 30 days, and ends after 7 without use. If you do not know one of them, end it.",
    here: "Sign out of this browser",
    everywhere: "Sign out everywhere",
    everywhereAsk: "Sign out of this browser and of all others?",
    everywhereYes: "Sign out everywhere",
    no: "Cancel",
  },
);
