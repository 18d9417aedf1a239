/** A picture of the page's own host, which is the only one that the page asks for anything; otherwise nothing. */
export function Thumb({ url, isLarge }: { url: string | null; isLarge?: boolean }) {
  if (url === null || !isOwn(url)) return null;
  return (
    <span class={isLarge ? "thumb thumb-large" : "thumb"} aria-hidden="true">
      <img src={url} alt="" loading="lazy" width={32} height={32} />
    </span>
  );
}

function isOwn(url: string): boolean {
  return URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin;
}
