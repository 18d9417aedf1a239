// Imported before everything else, and imports nothing: the token of a one-time link or of a share is taken out of the address
// before another part of the page reads it. It must not be copied, kept in the history, or taken for a view.

const LINK = /^#(signin|share)=([\w-]+)$/;
/** The address of a share once its token is taken out. */
const SHARED = "#/shared";
/** In the tab's own storage, so that a reload still has it. */
const KEPT = "lucra.share";

function kept(): string {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

function keep(found: string): void {
  try {
    sessionStorage.setItem(KEPT, found);
  } catch {
    // Without storage a reload needs the whole address again.
  }
}

function take(): { readonly token?: string; readonly shareToken?: string } {
  const [, kind, found] = LINK.exec(location.hash) ?? [];
  if (found === undefined) return location.hash === SHARED ? { shareToken: kept() } : {};
  history.replaceState(null, "", kind === "share" ? SHARED : "#/");
  if (kind !== "share") return { token: found };
  keep(found);
  return { shareToken: found };
}

/** `shareToken` is undefined in the page of who signs in, and empty where the tab has none. */
export const { token, shareToken } = take();

const AGENT = /^#\/agent\?(.*)$/s;

/** What an agent sent to `/oauth/authorize`; undefined for all other pages. It stays in the address, for a reload. */
export const agentQuery: string | undefined = AGENT.exec(location.hash)?.[1];

// A link that is opened in a tab with the page in it.
addEventListener("hashchange", () => {
  if ([LINK, AGENT].some((one) => one.test(location.hash)) || (shareToken ?? agentQuery) !== undefined)
    location.reload();
});
