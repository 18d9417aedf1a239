import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { Stores as StoresAnswer } from "../answers.ts";
import { clearAnswers, quota, STORES, signOut } from "../api.ts";
import { knownZone } from "../days.ts";
import { filter, isFilterable } from "../filter.ts";
import { currency, figure, range, zone } from "../format.ts";
import { useLanding } from "../landing.ts";
import { later } from "../later.tsx";
import { led } from "../led.ts";
import { loadApi } from "../openapi.ts";
import { asked } from "../platform/again.ts";
import { language, THEMES, theme } from "../preferences.ts";
import {
  arg,
  go,
  hashOf,
  ignoredArgs,
  replace,
  route,
  settingsAt,
  showOrganization,
  VIEWS,
  type View,
} from "../route.ts";
import {
  hasSpend,
  isAdmin,
  isForeign,
  LOCAL,
  type Organization,
  organization,
  organizations,
  person,
  STORES as STORE_CONNECTORS,
  shortOf,
  state,
} from "../session.ts";
import { start, startProblem } from "../start.ts";
import { Stores, usePeriod } from "../stores.ts";
import { lang, t } from "../text.ts";
import { agentQuery, shareToken } from "../token.ts";
import { useThen } from "../useThen.ts";
import { PAGES, SHARED_CHECKS, toolsOf } from "../views/pages.tsx";
import { Banner } from "./Banner.tsx";
import { Empty } from "./Empty.tsx";
import { Explanation } from "./Explanation.tsx";
import { removeFilter } from "./Filter.tsx";
import { Icon } from "./Icon.tsx";
import { KnownBanner, knownText } from "./Known.tsx";
import { type Item, Menu } from "./Menu.tsx";
import { Problem } from "./Problem.tsx";
import { Mark, SignIn } from "./SignIn.tsx";
import { Skeletons, StartingBar } from "./Starting.tsx";
import { Toolbar } from "./Toolbar.tsx";
import { Waiting } from "./Waiting.tsx";

const LinkSignIn = later(() => import("./signIn/LinkSignIn.tsx").then((loaded) => loaded.LinkSignIn));
const SignInAgain = later(() => import("./signIn/SignInAgain.tsx").then((loaded) => loaded.SignInAgain));
const FirstRun = later(() => import("../views/settings/firstRun/FirstRun.tsx").then((loaded) => loaded.FirstRun));
const SharedPage = later(() => import("../views/shared/SharedPage.tsx").then((loaded) => loaded.SharedPage));
const HiddenSpend = later(() => import("./HiddenSpend.tsx").then((loaded) => loaded.HiddenSpend), null);
const AgentConsent = later(() => import("./agents/AgentConsent.tsx").then((loaded) => loaded.AgentConsent));

/** What a person opens over the page. */
const OWN = {
  sessions: later(() => import("./account/Account.tsx").then((loaded) => loaded.Account)),
  savedViews: later(() => import("./account/SavedViews.tsx").then((loaded) => loaded.SavedViews)),
  shareView: later(() => import("../views/shared/ShareView.tsx").then((loaded) => loaded.ShareView)),
};
const openOwn = signal<keyof typeof OWN | undefined>(undefined);

/** The entry of the menu that opens it. */
const ownItem = (name: keyof typeof OWN): Item => ({
  is: "action",
  text: t().frame[name],
  act: () => {
    openOwn.value = name;
  },
});

/** The language of mails to the person is the one chosen here. */
async function keepLanguage(): Promise<void> {
  const { storeLanguage } = await import("./account/language.ts");
  // The page is in the language that was chosen, even if that is not kept.
  await storeLanguage().catch(() => {});
}

export function App() {
  const now = state.value;
  const code = lang.value === "pt" ? "pt-BR" : "en";
  const { frame } = t();
  const { view } = route.value;
  const parts = now.is === "in" && agentQuery === undefined ? [frame.views[view], organization.value?.name ?? ""] : [];
  const title = [...parts.filter(Boolean), frame.title].join(" · ");
  useEffect(() => {
    document.documentElement.lang = code;
    document.title = title;
  }, [code, title]);
  useEffect(() => {
    // The browser prints the title on every page.
    const { from, to } = usePeriod();
    const days = from && to && parts.length > 0 ? [range(from, to), knownText()].filter(Boolean) : [];
    const naming = (): void => {
      document.title = [...parts.filter(Boolean), ...days].join(" · ") || title;
    };
    const named = (): void => {
      document.title = title;
    };
    addEventListener("beforeprint", naming);
    addEventListener("afterprint", named);
    return () => {
      removeEventListener("beforeprint", naming);
      removeEventListener("afterprint", named);
    };
  });
  if (shareToken !== undefined) return <SharedPage token={shareToken} />;
  if (now.is === "out") return <SignIn why={now.why} />;
  if (now.is === "link") return <LinkSignIn token={now.token} isSignedIn={now.isSignedIn} />;
  const Own = openOwn.value && OWN[openOwn.value];
  if (now.is === "in")
    return (
      <>
        {agentQuery === undefined ? (
          <Shell key={organization.value?.id} view={view} />
        ) : (
          <AgentConsent query={agentQuery} />
        )}
        {Own && <Own close={() => (openOwn.value = undefined)} />}
        {asked.value && <SignInAgain key={asked.value.why} />}
        <Waiting />
      </>
    );
  const failure = startProblem.value;
  return (
    <>
      <header class="top">
        <span class="brand">
          <Mark />
        </span>
        <span class="skeleton skeleton-name" />
      </header>
      <StartingBar />
      <main class="starting">
        {failure ? <Problem failure={failure} retry={() => void start()} /> : <Skeletons />}
        <Waiting />
      </main>
    </>
  );
}

/** The views in the navigation: those that exist. The others are in the menu. */
const APART: readonly View[] = ["report", "portfolio", "settings"];
const offered = (): readonly View[] => VIEWS.filter((view) => PAGES[view] !== undefined && !APART.includes(view));

function Shell({ view }: { view: View }) {
  const { frame } = t();
  const page = PAGES[view] ?? PAGES.overview;
  const stores = useAnswer<StoresAnswer>(STORES);
  const then = useThen();
  const isThere = then === undefined || then.state === "ready";
  const known = stores.state === "failed" || !isThere ? undefined : stores.data?.data;
  const inStores = known?.find((store) => store.currency !== null)?.currency;
  currency.value = organization.value?.currency ?? inStores ?? undefined;
  zone.value = knownZone(organization.value?.timezones[0]);
  // A table of orders without products has sales, too, although no product was sold.
  const hasOrders = organization.value?.connectors.some(
    ({ connector, newestDay }) => STORE_CONNECTORS.includes(connector) && newestDay !== null,
  );
  const hasSales = known && (hasOrders || known.some(({ lastSaleDate }) => lastSaleDate !== null));
  // The address names the organization, so that a copied one shows the same to somebody with several.
  useEffect(() => {
    const id = organization.value?.id;
    if (id !== undefined && !isForeign.value && route.value.organization === "")
      showOrganization(shortOf(id), "replace");
  }, [organization.value?.id, route.value.organization]);
  useEffect(() => {
    // A server begins without organizations: its operator makes the first one.
    if (person.value?.isOperator && organizations.value.length === 0 && view !== "settings") go("settings");
  }, [view, organizations.value.length]);
  const failed = [then, stores].find((one) => one?.state === "failed");
  const Show = page?.show;
  const isOfSales = page?.needsSales !== false && !page?.isAside;
  const lacksSales = hasSales === false && isOfSales && !(page?.needsSales === "orSpend" && hasSpend.value);
  const isEmpty = lacksSales || (hasSales === false && organization.value?.asOf === null);
  const isLed = isOfSales && isAdmin.value && led.value !== undefined && led.value === organization.value?.id;
  useEffect(() => {
    if (lacksSales && isAdmin.value && then === undefined) led.value = organization.value?.id;
  }, [lacksSales]);
  return (
    <>
      <button type="button" class="skip" onClick={toContent}>
        {frame.skip}
      </button>
      <header class="top">
        <a class="brand" href={hashOf("overview")} aria-label="Lucra">
          <Mark />
        </a>
        <OrganizationSwitch />
        {/* Without an organization none of them has anything to show. */}
        {organization.value && (
          <nav class="top-nav" aria-label={frame.navigation}>
            {offered().map((name) => (
              <a key={name} href={hashOf(name)} aria-current={name === view ? "page" : undefined}>
                <Icon name={name} />
                <span>{frame.views[name]}</span>
              </a>
            ))}
          </nav>
        )}
        <MainMenu />
      </header>
      {(page?.isAside || isLed) && (
        <main id="content" tabIndex={-1}>
          <Heading view={view} isEmpty={isLed} />
          <Notes view={view} />
          {isLed ? <FirstRun /> : Show && <Show />}
        </main>
      )}
      {!page?.isAside && !isLed && known && (
        <Stores.Provider value={known}>
          {page && !isEmpty && <Toolbar tools={toolsOf(page)} asOf={organization.value?.asOf ?? null} />}
          <main id="content" tabIndex={-1}>
            <Heading view={view} isEmpty={isEmpty} />
            <KnownBanner view={view} />
            <FilterNote view={view} />
            <Notes view={view} />
            {lacksSales ? <Empty /> : Show && <Show />}
            <Explanation />
          </main>
        </Stores.Provider>
      )}
      {!page?.isAside && !isLed && !known && (
        <>
          <StartingBar />
          <main id="content" tabIndex={-1} class="starting">
            <KnownBanner view={view} />
            {failed ? <Problem failure={failed.failure} retry={failed.retry} /> : <Skeletons />}
          </main>
        </>
      )}
      <footer class="foot">
        <a href="/docs">{frame.documents}</a>
      </footer>
    </>
  );
}

/** Not a link: a link would replace the hash, which holds the view. */
const toContent = (): void => document.getElementById("content")?.focus();

/** The heading, or the card that the address names, receives the focus when the view changes, so that screen readers announce it. */
function Heading({ view, isEmpty = false }: { view: View; isEmpty?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(view);
  useEffect(() => {
    if (before.current !== view) {
      scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    before.current = view;
  }, [view]);
  useLanding(view);
  return (
    <div class="page-head">
      <h1 ref={heading} class="page-title" tabIndex={-1}>
        {t().frame.views[view]}
      </h1>
      {view === "overview" && !isEmpty && (
        <a class="page-link" href={hashOf("report")}>
          <Icon name="report" /> {reportName()}
        </a>
      )}
    </div>
  );
}

/** Without a period in the address it is that of the last month. */
const reportName = (): string =>
  arg("period") === "" && arg("from") === "" ? t().frame.reportOfMonth : t().frame.report;

/** What the filter leaves unknown, and the pages that do not follow it. */
function FilterNote({ view }: { view: View }) {
  const words = t().filter;
  const { store, channel } = filter.value;
  if (store === "" && channel === "") return null;
  if (isFilterable(view)) return store === "" ? null : <HiddenSpend store={store} channel={channel} />;
  return (
    <Banner tone="info" action={{ text: words.removeAll, act: removeFilter }}>
      {view === "products" ? words.ofProducts : words.notHere}
    </Banner>
  );
}

/** What is wrong with the address. */
function Notes({ view }: { view: View }) {
  const { frame } = t();
  const ignored = ignoredArgs({ ...SHARED_CHECKS, ...PAGES[view]?.args }).value;
  const drop = (): void => replace(Object.fromEntries(ignored.map((text) => [text.split("=")[0] ?? "", ""])));
  return (
    <>
      {isForeign.value && <Banner tone="warn">{frame.noOrganization}</Banner>}
      {view === "overview" && isDemoAlone() && (
        <Banner tone="info" action={{ text: frame.startOwn, href: settingsAt("organizations") }}>
          {frame.isDemo}
        </Banner>
      )}
      {ignored.length > 0 && (
        <Banner tone="info" close={{ label: frame.close, act: drop }}>
          {ignored.length === 1 ? frame.ignoredOne(ignored[0] ?? "") : frame.ignoredMany(ignored.join(", "))}
        </Banner>
      )}
    </>
  );
}

/** The made-up shop that an empty service begins with. */
const DEMO = "5f0c2b1e-8a4d-4c37-9e21-7b6d0a9c4e10";

/** Whether an operator, who makes organizations, has only the made-up one. */
const isDemoAlone = (): boolean =>
  person.value?.isOperator === true && organizations.value.length === 1 && organization.value?.id === DEMO;

function OrganizationSwitch() {
  const { frame } = t();
  const now = organization.value;
  if (organizations.value.length < 2) return <span class="organization">{now?.name}</span>;
  const items: Item[] = organizations.value.map(
    (one: Organization): Item => ({
      is: "choice",
      text: one.name,
      isChosen: one.id === now?.id,
      act: () => showOrganization(shortOf(one.id), "push"),
    }),
  );
  items.push({ is: "line" }, portfolioItem());
  return (
    <Menu
      label={`${frame.organization}: ${now?.name}`}
      align="start"
      class="organization"
      text={
        <>
          <span class="organization-name">{now?.name}</span>
          <Icon name="down" />
        </>
      }
      items={items}
    />
  );
}

/** The organizations side by side, as they are now: a pin is of one. */
const portfolioItem = (): Item => ({
  is: "link",
  text: t().frame.views.portfolio,
  href: hashOf("portfolio", { known: "" }),
});

/** Everything that is no page: theme, language, quota, documents, sign-out. */
function MainMenu() {
  const { frame } = t();
  const left = quota.value;
  const count = (value: number): string => figure(value, "count");
  const who = person.value?.email;
  const items: Item[] = [
    ...(who === undefined
      ? []
      : ([
          { is: "note", text: frame.signedInAs(who === LOCAL ? frame.local : who) },
          ...(isAdmin.value ? [{ is: "link", text: frame.views.settings, href: hashOf("settings") } as const] : []),
          ...(organization.value ? [ownItem("savedViews")] : []),
          ...(isAdmin.value && person.value?.shares && PAGES[route.value.view]?.isShareable
            ? [ownItem("shareView")]
            : []),
          ownItem("sessions"),
          { is: "line" },
        ] as const)),
    { is: "heading", text: frame.theme },
    ...THEMES.map(
      (name): Item => ({
        is: "choice",
        text: frame.themes[name],
        isChosen: theme.value === name,
        act: () => {
          theme.value = name;
        },
      }),
    ),
    { is: "heading", text: frame.language },
    ...(
      [
        ["pt", "Português"],
        ["en", "English"],
      ] as const
    ).map(
      ([name, text]): Item => ({
        is: "choice",
        text,
        isChosen: lang.value === name,
        act: () => {
          language.value = name;
          replace({ lang: "" });
          if (person.peek()) void keepLanguage();
        },
      }),
    ),
    { is: "line" },
    ...(organization.value ? [{ is: "link", text: reportName(), href: hashOf("report") } as const] : []),
    ...(organizations.value.length > 1 ? [portfolioItem()] : []),
    {
      is: "action",
      text: frame.refresh,
      act: () => {
        clearAnswers();
        void loadApi();
      },
    },
    { is: "link", text: frame.documents, href: "/docs" },
    { is: "action", text: frame.signOut, act: () => void signOut() },
    ...(left
      ? [
          { is: "line" } as const,
          {
            is: "note",
            text: <span class="quota">{frame.quota(count(left.remaining), count(left.limit))}</span>,
          } as const,
        ]
      : []),
  ];
  return <Menu label={frame.menu} icon="menu" items={items} class="main-menu" />;
}
