import { dictionary } from "../dictionary.ts";

/** The texts about a store whose spend is not known. */
export const hiddenSpend = dictionary(
  {
    unknown: (store: string) =>
      `Não se sabe quanto foi gasto em anúncios para ${store}, nem o CAC, o ROI e o que sobra depois deles. Falta dizer de que loja é cada conta de anúncios:`,
    account: (name: string) => `${name}:`,
  },
  {
    unknown: (store) =>
      `What was spent on ads for ${store} is not known, and so are CAC, ROI and what is left after ads. Each ad account has to say which store it is of:`,
    account: (name) => `${name}:`,
  },
);
