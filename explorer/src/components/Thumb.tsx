/** A picture of the page's own host, or the first letters of the name: the page asks no other host for anything. */
export function Thumb({ name, url, isLarge }: { name: string; url: string | null; isLarge?: boolean }) {
  const own = url !== null && isOwn(url) ? url : undefined;
  return (
    <span class={isLarge ? "thumb thumb-large" : "thumb"} aria-hidden="true">
      {own === undefined ? initialsOf(name) : <img src={own} alt="" loading="lazy" width={32} height={32} />}
    </span>
  );
}

function isOwn(url: string): boolean {
  return URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin;
}

function initialsOf(name: string): string {
  const [first = "", second] = name.split(/[^\p{L}]+/u).filter(Boolean);
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join("").toUpperCase();
}
