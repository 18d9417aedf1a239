import { printable } from "./table.ts";

export const warn = (problem: string): void => console.error(`lucra: ${printable(problem)}`);
