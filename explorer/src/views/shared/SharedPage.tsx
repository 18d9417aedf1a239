import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAnswer } from "../../answer.ts";
import type { Stores as StoresAnswer } from "../../answers.ts";
import { Failure, failureOf, NETWORK_RETRY_MS, STORES, sharing } from "../../api.ts";
import { filterText } from "../../components/Filter.tsx";
import { momentText } from "../../components/Known.tsx";
import { Problem } from "../../components/Problem.tsx";
import { Mark } from "../../components/SignIn.tsx";
import { Skeletons } from "../../components/Starting.tsx";
import { Waiting } from "../../components/Waiting.tsx";
import { clock, knownZone } from "../../days.ts";
import { currency, instant, zone } from "../../format.ts";
import { readAddress, route } from "../../route.ts";
import { organization, type Shared, shared, state } from "../../session.ts";
import { Stores } from "../../stores.ts";
import { said } from "../../text.ts";
import { sharedPage as WORDS } from "../../words/later/sharedPage.ts";
import { PAGES } from "../pages.tsx";
import { shownBy } from "./frozen.ts";

/** The page that a share opens [D94], to read, for who has its address and no account. */
export function SharedPage({ token }: { token: string }) {
  const [failure, setFailure] = useState<Failure | undefined>();
  const open = async (): Promise<void> => {
    setFailure(undefined);
    try {
      enter(await opened(token));
    } catch (error) {
      setFailure(error instanceof Failure ? error : new Failure("unforeseen", String(error)));
    }
  };
  useEffect(() => void open(), []);
  const share = shared.value;
  return (
    <>
      <header class="top">
        <span class="brand">
          <Mark />
        </span>
        <span class="organization">{share?.organization.name}</span>
      </header>
      {share ? (
        <Content share={share} />
      ) : (
        <main id="content" class={failure ? "" : "starting"}>
          {failure?.kind === "notFound" ? (
            <Gone />
          ) : failure ? (
            <Problem failure={failure} retry={() => void open()} />
          ) : (
            <Skeletons />
          )}
        </main>
      )}
      <Waiting />
    </>
  );
}

/** Unknown, expired and revoked are one and the same. */
function Gone() {
  const words = said(WORDS);
  return (
    <div class="page-head" data-shared="gone">
      <h1 class="page-title">{words.gone}</h1>
      <p class="note">{words.goneHint}</p>
    </div>
  );
}

function Content({ share }: { share: Shared }) {
  const words = said(WORDS);
  const stores = useAnswer<StoresAnswer>(STORES);
  const known = stores.state === "failed" ? undefined : stores.data?.data;
  const sold = known?.find((store) => store.currency !== null)?.currency;
  currency.value = organization.value?.currency ?? sold ?? undefined;
  zone.value = knownZone(organization.value?.timezones[0]);
  const Show = PAGES[route.value.view]?.show;
  const facts = [
    filterText(),
    words.readOnly,
    words.until(instant(share.expiresAt)),
    share.knownAt !== null && words.asKnown(momentText(share.knownAt)),
  ];
  return (
    <main id="content" data-shared="open">
      <div class="page-head">
        <h1 class="page-title">{share.name}</h1>
        <p class="note">{facts.filter(Boolean).join(" · ")}</p>
      </div>
      {stores.state === "failed" && <Problem failure={stores.failure} retry={stores.retry} />}
      {known ? <Stores.Provider value={known}>{Show && <Quiet show={Show} />}</Stores.Provider> : <Skeletons />}
    </main>
  );
}

/** What leads elsewhere: the share answers only what its page shows. */
const LEADS_ELSEWHERE = 'a[href^="#"]';
/** What asks for something else, or opens what is for others. The report's button prints; a failed answer is asked for again. */
const ASKS_ELSEWHERE = ":is(button, input, select):not(:disabled, .report-bar *, .problem *)";

/** A view to read: its links and buttons do nothing here, so they are none. */
function Quiet({ show: Show }: { show: ComponentType }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const root = place.current;
    if (!root) return;
    const quiet = (): void => {
      for (const link of root.querySelectorAll(LEADS_ELSEWHERE)) link.removeAttribute("href");
      for (const control of root.querySelectorAll<HTMLButtonElement>(ASKS_ELSEWHERE)) control.disabled = true;
    };
    quiet();
    const watching = new MutationObserver(quiet);
    watching.observe(root, { childList: true, subtree: true, attributeFilter: ["href", "disabled"] });
    return () => watching.disconnect();
  }, []);
  return (
    <div ref={place} class="shared-view">
      <Show />
    </div>
  );
}

async function opened(token: string): Promise<Shared> {
  const response = await fetch("/shared", { headers: sharing(token), cache: "no-store" }).catch(() => {
    throw new Failure("network", "", { retryAt: Date.now() + NETWORK_RETRY_MS });
  });
  if (!response.ok) throw await failureOf(response);
  return (await response.json()) as Shared;
}

/** Shows the page of the day on which it was shared: its answers are those of that page's questions. */
function enter(share: Shared): void {
  const { page, now, firstDay, lastDay } = shownBy(share.page);
  route.value = readAddress(`#/${page}`);
  clock.value = now;
  state.value = { is: "in", organizations: [{ ...share.organization, firstDay, lastDay }] };
  shared.value = share;
}
