import { useEffect, useRef } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { Stores as StoresAnswer } from "../answers.ts";
import { clearAnswers, quota, STORES } from "../api.ts";
import { currency } from "../format.ts";
import { loadApi } from "../openapi.ts";
import { arg, hashOf, route, VIEWS, type View } from "../route.ts";
import { session, signOut } from "../session.ts";
import { Stores } from "../stores.ts";
import { lang, t } from "../text.ts";
import { Acquisition } from "../views/Acquisition.tsx";
import { Cohorts } from "../views/Cohorts.tsx";
import { Data } from "../views/Data.tsx";
import { Overview } from "../views/Overview.tsx";
import { Product } from "../views/Product.tsx";
import { Products } from "../views/Products.tsx";
import { Empty } from "./Empty.tsx";
import { Login, Mark } from "./Login.tsx";
import { PeriodBar } from "./PeriodBar.tsx";
import { Preferences } from "./Preferences.tsx";
import { Problem } from "./Problem.tsx";

export function App() {
  const language = lang.value === "pt" ? "pt-BR" : "en";
  const title = session.value ? `${t().views[route.value.view]} · ${t().title}` : t().title;
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = title;
  }, [language, title]);
  return session.value ? <Shell /> : <Login />;
}

function Shell() {
  const { view } = route.value;
  const stores = useAnswer<StoresAnswer>(STORES);
  const known = stores.state === "failed" ? undefined : stores.data?.data;
  if (known) currency.value = known.find((store) => store.currency !== null)?.currency ?? undefined;
  const hasSales = known?.some(({ lastSaleDate }) => lastSaleDate !== null);
  return (
    <>
      <button type="button" class="skip" onClick={toContent}>
        {t().skip}
      </button>
      <header class="top">
        <span class="brand">
          <Mark /> Lucra
        </span>
        <nav aria-label={t().navigation}>
          {VIEWS.map((name) => (
            <a key={name} href={hashOf(name)} aria-current={name === view ? "page" : undefined}>
              {t().views[name]}
            </a>
          ))}
        </nav>
        <div class="top-tools">
          <Quota />
          <button
            type="button"
            class="quiet"
            onClick={() => {
              clearAnswers();
              void loadApi();
            }}
          >
            {t().refresh}
          </button>
          <button type="button" class="quiet" onClick={() => signOut()}>
            {t().signOut}
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {stores.state === "failed" && <Problem failure={stores.failure} retry={stores.retry} />}
        {stores.state === "waiting" && !known && <p class="skeleton">{t().loading}</p>}
        {known && (
          <Stores.Provider value={known}>
            <Heading view={view} />
            {hasSales === false && view !== "data" ? <Empty /> : <Current view={view} />}
          </Stores.Provider>
        )}
      </main>
      <footer>
        <Preferences />
        <a href="/docs">API</a>
      </footer>
    </>
  );
}

/** Not a link: a link would replace the hash, which holds the view. */
const toContent = (): void => document.getElementById("content")?.focus();

/** The heading receives the focus when the view changes, so that screen readers announce it. */
function Heading({ view }: { view: View }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(view);
  useEffect(() => {
    if (before.current !== view) heading.current?.focus({ preventScroll: false });
    before.current = view;
  }, [view]);
  return (
    <div class="heading">
      <h1 ref={heading} tabIndex={-1}>
        {t().views[view]}
      </h1>
      {view !== "data" && <PeriodBar />}
    </div>
  );
}

function Current({ view }: { view: View }) {
  switch (view) {
    case "overview":
      return <Overview />;
    case "cohorts":
      return <Cohorts />;
    case "acquisition":
      return <Acquisition />;
    case "products":
      return arg("product") ? <Product /> : <Products />;
    case "data":
      return <Data />;
  }
}

function Quota() {
  const left = quota.value;
  const text = left ? t().quota(left.remaining, left.limit) : t().quotaUnknown;
  return (
    <span class="quota" title={text}>
      <span aria-hidden="true">{left ? `${left.remaining}/${left.limit}` : "…"}</span>
      <span class="unseen">{text}</span>
    </span>
  );
}
