import { computed, signal } from "@preact/signals";
import { clock, dayIn } from "./days.ts";
import { arg } from "./route.ts";

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const PIN = /^(?!\d{4}-\d\d-\d\d)[a-z0-9][a-z0-9-]{0,39}$/;

/** Whether it is an instant, or may be the name of a pin. */
export const isMoment = (text: string): boolean => INSTANT.test(text) || PIN.test(text);

/** The instant or the pin in the address: the page shows what was known then [D85]. Empty: what is known now. */
export const known = computed(() => (isMoment(arg("known")) ? arg("known") : ""));

/** What was known about an organization as a whole. */
interface AboutThen<About> {
  readonly id: string;
  readonly about: About;
}

/** Set while the page shows what was known then. */
export const aboutThen = signal<AboutThen<object> | undefined>(undefined);

/** The part of a file's name that says so, as the service writes it. */
export const knownName = (): string =>
  clock.value === undefined ? "" : `known-${new Date(clock.value).toISOString().replaceAll(":", "-")}`;

/** The last millisecond of a day in a time zone, as the service takes it. */
export function endOf(day: string, zone?: string): string {
  let [within, after] = [Date.parse(day) - 86_400_000, Date.parse(day) + 259_200_000];
  while (after - within > 1) {
    const middle = Math.floor((within + after) / 2);
    if (dayIn(middle, zone) > day) after = middle;
    else within = middle;
  }
  return new Date(within).toISOString();
}
