import type { ComponentType } from "preact";
import { later } from "../../later.tsx";
import { isAdmin, organization, person } from "../../session.ts";
import type { sections as WORDS } from "../../words/later/sections.ts";

/** A part of the settings. Its scripts and texts are loaded when it is opened. */
export interface Section {
  /** In the address, and the name of its texts in `words/later/sections.ts`. */
  readonly name: keyof typeof WORDS.pt.names;
  /** The heading in the list of sections under which it is. */
  readonly group: keyof typeof WORDS.pt.groups;
  readonly show: ComponentType;
  readonly isForOperators?: boolean;
}

/** The sections, in the order of their list: those of a group follow each other. */
export const SECTIONS: readonly Section[] = [
  {
    name: "files",
    group: "data",
    show: later(() => import("./files/Files.tsx").then(({ Files }) => Files)),
  },
  {
    name: "connections",
    group: "data",
    show: later(() => import("./connections/Connections.tsx").then(({ Connections }) => Connections)),
  },
  {
    name: "costs",
    group: "figures",
    show: later(() => import("./costs/Costs.tsx").then(({ Costs }) => Costs)),
  },
  {
    name: "campaigns",
    group: "figures",
    show: later(() => import("./campaigns/Campaigns.tsx").then(({ Campaigns }) => Campaigns)),
  },
  {
    name: "payments",
    group: "figures",
    show: later(() => import("./Payments.tsx").then(({ Payments }) => Payments)),
  },
  {
    name: "funnel",
    group: "figures",
    show: later(() => import("./Funnel.tsx").then(({ Funnel }) => Funnel)),
  },
  {
    name: "targets",
    group: "figures",
    show: later(() => import("./Targets.tsx").then(({ Targets }) => Targets)),
  },
  {
    name: "notes",
    group: "figures",
    show: later(() => import("./DayNotes.tsx").then(({ DayNotes }) => DayNotes)),
  },
  {
    name: "alerts",
    group: "figures",
    show: later(() => import("./alerts/Alerts.tsx").then(({ Alerts }) => Alerts)),
  },
  {
    name: "letters",
    group: "shop",
    show: later(() => import("./Letters.tsx").then(({ Letters }) => Letters)),
  },
  {
    name: "organization",
    group: "shop",
    show: later(() => import("./Organization.tsx").then(({ Organization }) => Organization)),
  },
  {
    name: "people",
    group: "access",
    show: later(() => import("./People.tsx").then(({ People }) => People)),
  },
  {
    name: "data-api",
    group: "access",
    show: later(() => import("./DataApi.tsx").then(({ DataApi }) => DataApi)),
  },
  {
    name: "links",
    group: "access",
    show: later(() => import("./Links.tsx").then(({ Links }) => Links)),
  },
  {
    name: "personal-data",
    group: "access",
    show: later(() => import("./PersonalData.tsx").then(({ PersonalData }) => PersonalData)),
  },
  {
    name: "log",
    group: "access",
    show: later(() => import("./Log.tsx").then(({ Log }) => Log)),
  },
  {
    name: "organizations",
    group: "operator",
    isForOperators: true,
    show: later(() => import("./Organizations.tsx").then(({ Organizations }) => Organizations)),
  },
];

/** The sections that the person may open: those of the server also before there is an organization. */
export const offered = (): readonly Section[] =>
  !isAdmin.value
    ? []
    : SECTIONS.filter(({ isForOperators = false }) =>
        isForOperators ? person.value?.isOperator === true : organization.value !== undefined,
      );
