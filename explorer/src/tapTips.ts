// What a mouse shows on hover, a tap shows until the next one.

const EDGE = 8;
/** A tap on these does something of its own. */
const OWN = "a, button, input, select, label, summary, [role=slider]";

let tip: HTMLElement | undefined;

function hide(): void {
  tip?.remove();
  tip = undefined;
}

addEventListener("scroll", hide, { passive: true, capture: true });
addEventListener("click", ({ target }) => {
  hide();
  const place = target instanceof Element ? target.closest<HTMLElement>("[title]") : null;
  if (!place?.title || !(target instanceof Element) || target.closest(OWN)) return;
  tip = document.createElement("div");
  tip.className = "tap-tip";
  tip.role = "status";
  tip.textContent = place.title;
  document.body.append(tip);
  const { left, top, bottom } = place.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  tip.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  tip.style.top = `${bottom + height + EDGE < innerHeight ? bottom + 4 : Math.max(EDGE, top - height - 4)}px`;
});
