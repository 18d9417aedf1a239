// Imported before everything else, and imports nothing: the token of a one-time link is taken out of the address before
// another part of the page reads it. It must not be copied, kept in the history, or taken for a view.

const LINK = /^#signin=([\w-]+)$/;

function take(): string | undefined {
  const [, found] = LINK.exec(location.hash) ?? [];
  if (found !== undefined) history.replaceState(null, "", "#/");
  return found;
}

export const token = take();

// A link that is opened in a tab with the page in it.
addEventListener("hashchange", () => {
  if (LINK.test(location.hash)) location.reload();
});
