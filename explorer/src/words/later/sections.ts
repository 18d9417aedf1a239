import { dictionary } from "../dictionary.ts";

/** The frame of the settings: the list of its sections, and what all of them say. */
export const sections = dictionary(
  {
    list: "Seções",
    all: "Todas as configurações",
    notAdmin: "Só administradores desta organização veem as configurações. Peça a um deles.",
    onlyPeople: "Quem entrou com uma chave só lê. Entre com o seu e-mail para ver e mudar as configurações.",
    unknown: "Esta seção não existe.",
    groups: { shop: "Organização", access: "Acesso", operator: "Servidor" },
    names: {
      organization: "Organização",
    },
    leads: {
      organization: "Nome, idioma e moeda.",
    },
    save: "Salvar",
    saving: "Salvando…",
    saved: "Salvo.",
    cancel: "Cancelar",
    changedNow: "Isto mudou enquanto você editava. Agora está assim:",
    useMine: "Salvar o meu mesmo assim",
    useTheirs: "Ficar com o que está agora",
    interrupted: "Veja abaixo o que está em vigor.",
    again: {
      title: "Entrar de novo",
      why: "Esta mudança pede uma entrada das últimas 12 horas. Depois de entrar ela continua.",
      ended: "A sua sessão terminou. Entre de novo e a mudança continua.",
      another: "Você entrou como outra pessoa: a página será recarregada.",
    },
  },
  {
    list: "Sections",
    all: "All settings",
    notAdmin: "Only admins of this organization see the settings. Ask one of them.",
    onlyPeople: "A key only reads. Sign in with your e-mail address to see and change the settings.",
    unknown: "This section does not exist.",
    groups: { shop: "Organization", access: "Access", operator: "Server" },
    names: {
      organization: "Organization",
    },
    leads: {
      organization: "Name, language and currency.",
    },
    save: "Save",
    saving: "Saving…",
    saved: "Saved.",
    cancel: "Cancel",
    changedNow: "This changed while you were editing it. Now it is:",
    useMine: "Save mine anyway",
    useTheirs: "Keep what is there now",
    interrupted: "See below what is in force.",
    again: {
      title: "Sign in again",
      why: "This change asks for a sign-in of the last 12 hours. It goes on after you have signed in.",
      ended: "Your session has ended. Sign in again, and the change goes on.",
      another: "You signed in as somebody else: the page reloads.",
    },
  },
);
