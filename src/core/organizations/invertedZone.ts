/** A zone whose name has the sign of its offset the other way round: `Etc/GMT+3` is three hours behind UTC. */
interface InvertedZone {
  /** Whether it is ahead of UTC although its name has a minus. */
  readonly isEast: boolean;
  /** The meaning of the name, and the name for the other sign. */
  readonly meaning: string;
}

export function invertedZone(timezone: string): InvertedZone | undefined {
  const [, sign, hours = ""] = /^Etc\/GMT([+-])(\d{1,2})$/i.exec(timezone) ?? [];
  if (sign === undefined || Number(hours) === 0) return undefined;
  const isEast = sign === "-";
  const [own, other] = isEast ? ["+", "-"] : ["-", "+"];
  const offset = `${hours.padStart(2, "0")}:00`;
  const meaning =
    `this is UTC${own}${offset}, because the signs of these names are inverted; if UTC${other}${offset} is meant, it is ` +
    `Etc/GMT${own}${hours}, or better the zone of a city, such as America/Sao_Paulo`;
  return { isEast, meaning };
}
