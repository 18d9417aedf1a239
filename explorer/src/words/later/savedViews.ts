import { dictionary } from "../dictionary.ts";

/** Saved views: names for addresses of the page. */
export const savedViews = dictionary(
  {
    own: "Minhas",
    shared: "De todos desta organização",
    none: "Nenhuma até agora.",
    open: (name: string) => `Abrir ${name}`,
    remove: "Remover",
    removeOf: (name: string) => `Remover ${name}`,
    save: "Salvar o que a página mostra agora",
    saveHint:
      "A visão, o período, a comparação e os filtros ficam no nome. Um período como “mês passado” anda com o tempo.",
    name: "Nome",
    forAll: "Para todos que veem esta organização",
  },
  {
    own: "Mine",
    shared: "Of everybody in this organization",
    none: "None so far.",
    open: (name) => `Open ${name}`,
    remove: "Remove",
    removeOf: (name) => `Remove ${name}`,
    save: "Save what the page shows now",
    saveHint:
      "The name keeps the view, the period, the comparison and the filters. A period such as “last month” moves with time.",
    name: "Name",
    forAll: "For everybody who sees this organization",
  },
);
