/** The zones of Brazil first: most shops are there. */
const BRAZIL = [
  "America/Sao_Paulo",
  "America/Manaus",
  "America/Cuiaba",
  "America/Belem",
  "America/Fortaleza",
  "America/Recife",
  "America/Rio_Branco",
  "America/Noronha",
];

const ZONES: readonly string[] = [...new Set([...BRAZIL, ...Intl.supportedValuesOf("timeZone")])];

/** The time zones as options; without a choice times are in UTC. */
export const zoneOptions = (chosen = ""): readonly (readonly [string, string])[] => [
  ["", "UTC"],
  ...(chosen === "" || ZONES.includes(chosen) ? ZONES : [chosen, ...ZONES]).map(
    (zone) => [zone, zone.replaceAll("_", " ")] as const,
  ),
];

/** The time zone of a new store: that of the browser, if it is Brazil's, else that of most shops. */
export function likelyZone(): string {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return BRAZIL.includes(here) ? here : (BRAZIL[0] as string);
}
