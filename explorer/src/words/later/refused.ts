import { dictionary } from "../dictionary.ts";

/** What can be done after the platform has refused something. */
export const refused = dictionary(
  {
    changedNow: "Isto mudou enquanto você editava. Agora está assim:",
    useMine: "Salvar o meu mesmo assim",
    useTheirs: "Ficar com o que está agora",
    network: "Verifique a rede e tente de novo. O que já foi feito não é feito outra vez.",
    interrupted: "Veja abaixo o que está em vigor.",
  },
  {
    changedNow: "This changed while you were editing it. Now it is:",
    useMine: "Save mine anyway",
    useTheirs: "Keep what is there now",
    network: "Check the network and try again. What was done already is not done again.",
    interrupted: "See below what is in force.",
  },
);
