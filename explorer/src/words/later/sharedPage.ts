import { dictionary } from "../dictionary.ts";

/** What stands around a shared page, for who reads it. */
export const sharedPage = dictionary(
  {
    readOnly: "Página compartilhada, só para ler",
    until: (when: string) => `até ${when}`,
    asKnown: (when: string) => `como se sabia em ${when}`,
    gone: "Este link não abre nada.",
    goneHint: "Ele venceu, foi revogado, ou o endereço está incompleto. Peça outro a quem o enviou.",
  },
  {
    readOnly: "Shared page, read-only",
    until: (when) => `until ${when}`,
    asKnown: (when) => `as known on ${when}`,
    gone: "This link opens nothing.",
    goneHint: "It has expired or was revoked, or its address is incomplete. Ask whoever sent it for another one.",
  },
);
