import type { PinsEndpoint } from "../contract/endpoint.ts";
import { choice, instant, text } from "../contract/field.ts";
import { organizationId } from "../contract/param.ts";

/** The pins of an organization [D83]. */
export const pins: PinsEndpoint = {
  by: "pins",
  path: "/v1/pins",
  summary:
    "The pins: names for what was known at an instant, which `knownAt` of the other endpoints takes. A pin stays what it was, and its name never comes to mean something else.",
  params: { organizationId },
  unknown: "refused",
  cacheSeconds: 0,
  parts: {
    data: {
      rows: "many",
      description: "The pins, newest first, then by name.",
      fields: {
        name: text("Its name."),
        knownAt: instant("The instant: its answers are those of then."),
        knownState: text("What was known then, as this version answers it: as `knownState` of its answers."),
        createdAt: instant("When it was made."),
        createdBy: choice(
          ["command", "monthly", "page"],
          "Who made it: an operator, the settings of the organization on their day of the month, or a page.",
        ),
      },
    },
  },
};
