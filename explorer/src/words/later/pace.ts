import { dictionary } from "../dictionary.ts";

/** The texts of the pace of the month. */
export const pace = dictionary(
  {
    title: "Ritmo do mês",
    line: (name: string, expected: string, share: string, target: string) =>
      `${name}: no ritmo atual o mês chega a ${expected}, ${share} da meta de ${target}`,
    unknown: (name: string, toDate: string, target: string) => `${name}: ${toDate} até ontem; a meta é ${target}`,
    error: (percent: string) => `Esta conta errou ${percent} na mediana dos meses anteriores.`,
    explain: (name: string) => `Explicar o ritmo: ${name}`,
  },
  {
    title: "Pace of the month",
    line: (name: string, expected: string, share: string, target: string) =>
      `${name}: at this pace the month comes to ${expected}, ${share} of the target of ${target}`,
    unknown: (name: string, toDate: string, target: string) =>
      `${name}: ${toDate} up to yesterday; the target is ${target}`,
    error: (percent: string) => `This was wrong by ${percent} in the median of the months before.`,
    explain: (name: string) => `Explain the pace: ${name}`,
  },
);
