import cronstrue from "cronstrue/i18n.js";

/** A schedule in words; undefined for one that has none. */
export function scheduleWords(schedule: string, isEnglish: boolean): string | undefined {
  try {
    return cronstrue.default.toString(schedule, {
      locale: isEnglish ? "en" : "pt_BR",
      use24HourTimeFormat: true,
      throwExceptionOnParseError: true,
    });
  } catch {
    return undefined;
  }
}
