import { dictionary } from "../dictionary.ts";

/** What can be done after the platform has refused something. */
export const refused = dictionary(
  {
    changedNow: "Isto mudou enquanto você editava. Agora está assim:",
    useMine: "Salvar o meu mesmo assim",
    useTheirs: "Ficar com o que está agora",
    interrupted: "Veja abaixo o que está em vigor.",
  },
  {
    changedNow: "This changed while you were editing it. Now it is:",
    useMine: "Save mine anyway",
    useTheirs: "Keep what is there now",
    interrupted: "See below what is in force.",
  },
);
