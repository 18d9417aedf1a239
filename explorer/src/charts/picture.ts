import { save } from "../save.ts";

// A chart as a file. The styles of the page do not go with an SVG, so they become attributes of its shapes.

const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
] as const;

const NAMESPACE = "http://www.w3.org/2000/svg";
const MARGIN = 16;
const HEAD = 48;
const LEGEND = 22;

/** What a picture is of: a file leaves the page that says so. */
interface Titles {
  readonly title: string;
  /** Whose, and of which days. */
  readonly subtitle: string;
}

interface Drawn {
  readonly svg: SVGSVGElement;
  readonly width: number;
  readonly height: number;
}

function make<K extends keyof SVGElementTagNameMap>(name: K, attributes: Readonly<Record<string, string | number>>) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** A copy of the chart in which each shape has its own look. */
function copied(chart: SVGSVGElement): SVGSVGElement {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll("*")];
  for (const [n, shape] of [copy, ...copy.querySelectorAll("*")].entries()) {
    const original = originals[n];
    if (!original) continue;
    const style = getComputedStyle(original);
    const isText = original instanceof SVGTextElement;
    for (const name of PROPERTIES) {
      const isWanted = isText || !name.startsWith("font");
      if (isWanted) shape.setAttribute(name, style.getPropertyValue(name));
    }
    shape.removeAttribute("class");
  }
  return copy;
}

/** A color of the page's theme: a custom property is a text, which the browser resolves only where it is used. */
function colorOf(element: Element, property: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The chart with its title, the names of its series and the page's ground. */
function drawn(figure: Element, { title, subtitle }: Titles): Drawn | undefined {
  const chart = figure.querySelector<SVGSVGElement>("svg.chart-svg");
  if (!chart) return undefined;
  const [wide, high] = [Number(chart.getAttribute("width")), Number(chart.getAttribute("height"))];
  const entries = [...figure.querySelectorAll<HTMLElement>(".chart-legend-entry")];
  const style = getComputedStyle(figure);
  const [ink, font] = [style.color, style.fontFamily];
  const ground = colorOf(figure, "--surface");
  let [left, line] = [0, 0];
  const names = entries.map((entry) => {
    const text = entry.textContent?.trim() ?? "";
    const width = 18 + text.length * 6.8 + 14;
    if (left > 0 && left + width > wide) [left, line] = [0, line + 1];
    const swatch = entry.querySelector(".swatch");
    const shape = swatch?.matches(".swatch-dashed") ? "3 2" : swatch?.matches(".swatch-line") ? "none" : undefined;
    const place = { text, left, line, shape, color: colorOf(entry, "--color") || ink };
    left += width;
    return place;
  });
  const above = HEAD + (names.length > 0 ? (line + 1) * LEGEND : 0);
  const [width, height] = [wide + 2 * MARGIN, high + above + 2 * MARGIN];
  const svg = make("svg", { xmlns: NAMESPACE, width, height, viewBox: `0 0 ${width} ${height}` });
  svg.append(make("rect", { width, height, fill: ground }));
  const text = (content: string, at: Readonly<Record<string, string | number>>): SVGTextElement => {
    const element = make("text", { fill: ink, "font-family": font, ...at });
    element.textContent = content;
    return element;
  };
  svg.append(text(title, { x: MARGIN, y: MARGIN + 14, "font-size": "15px", "font-weight": 600 }));
  svg.append(text(subtitle, { x: MARGIN, y: MARGIN + 32, "font-size": "12px" }));
  for (const { text: name, left: x, line: row, shape, color } of names) {
    const y = MARGIN + HEAD + row * LEGEND;
    const [x1, x2, middle] = [MARGIN + x, MARGIN + x + 12, y + 5];
    const dashes = { "stroke-dasharray": shape ?? "", "stroke-width": 2, stroke: color };
    svg.append(
      shape === undefined
        ? make("rect", { x: x1, y, width: 10, height: 10, rx: 2, fill: color })
        : make("line", { x1, x2, y1: middle, y2: middle, ...dashes }),
    );
    svg.append(text(name, { x: MARGIN + x + 16, y: y + 9, "font-size": "12px" }));
  }
  const place = make("g", { transform: `translate(${MARGIN} ${MARGIN + above})` });
  place.append(...copied(chart).childNodes);
  svg.append(place);
  return { svg, width, height };
}

const PIXELS = 2;

/** Draws the few shapes that the charts consist of: the page's policy allows no picture from a script as an image. */
function painted({ svg, width, height }: Drawn): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * PIXELS, height * PIXELS];
  const brush = canvas.getContext("2d");
  if (!brush) return Promise.resolve(null);
  brush.scale(PIXELS, PIXELS);
  paint(svg, brush);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function paint(element: Element, brush: CanvasRenderingContext2D): void {
  brush.save();
  const number = (name: string): number => Number.parseFloat(element.getAttribute(name) ?? "") || 0;
  const [, dx = "0", dy = "0"] =
    /translate\(([\d.-]+)[ ,]+([\d.-]+)\)/.exec(element.getAttribute("transform") ?? "") ?? [];
  brush.translate(Number(dx), Number(dy));
  if (element.hasAttribute("opacity")) brush.globalAlpha *= number("opacity");
  const shape = shapeOf(element, number);
  if (shape) fillAndStroke(element, shape, brush, number);
  else if (element.tagName === "text") write(element, brush, number);
  for (const child of element.children) paint(child, brush);
  brush.restore();
}

function shapeOf(element: Element, number: (name: string) => number): Path2D | undefined {
  const path = new Path2D(element.tagName === "path" ? (element.getAttribute("d") ?? "") : "");
  switch (element.tagName) {
    case "path":
      return path;
    case "rect":
      path.roundRect(number("x"), number("y"), number("width"), number("height"), number("rx"));
      return path;
    case "circle":
      path.arc(number("cx"), number("cy"), number("r"), 0, 2 * Math.PI);
      return path;
    case "line":
      path.moveTo(number("x1"), number("y1"));
      path.lineTo(number("x2"), number("y2"));
      return path;
    default:
      return undefined;
  }
}

function fillAndStroke(
  element: Element,
  shape: Path2D,
  brush: CanvasRenderingContext2D,
  number: (name: string) => number,
): void {
  const [fill, stroke] = [element.getAttribute("fill") ?? "none", element.getAttribute("stroke") ?? "none"];
  if (fill !== "none" && element.tagName !== "line") {
    brush.save();
    brush.globalAlpha *= element.hasAttribute("fill-opacity") ? number("fill-opacity") : 1;
    brush.fillStyle = fill;
    brush.fill(shape);
    brush.restore();
  }
  if (stroke === "none") return;
  brush.strokeStyle = stroke;
  brush.lineWidth = number("stroke-width") || 1;
  brush.setLineDash((element.getAttribute("stroke-dasharray")?.match(/[\d.]+/g) ?? []).map(Number));
  brush.stroke(shape);
}

function write(element: Element, brush: CanvasRenderingContext2D, number: (name: string) => number): void {
  const size = number("font-size") || 12;
  brush.font = `${element.getAttribute("font-weight") ?? 400} ${size}px ${element.getAttribute("font-family") ?? "sans-serif"}`;
  brush.fillStyle = element.getAttribute("fill") ?? "#000";
  const anchor = element.getAttribute("text-anchor");
  brush.textAlign = anchor === "end" ? "right" : anchor === "middle" ? "center" : "left";
  const shift = (Number.parseFloat(element.getAttribute("dy") ?? "0") || 0) * size;
  brush.fillText(element.textContent ?? "", number("x"), number("y") + shift);
}

/** Saves the chart in an element as a picture. */
export async function savePicture(figure: Element, titles: Titles, name: string): Promise<void> {
  const picture = drawn(figure, titles);
  if (!picture) return;
  const text = new XMLSerializer().serializeToString(picture.svg);
  const content = name.endsWith(".svg") ? new Blob([text], { type: "image/svg+xml" }) : await painted(picture);
  if (content) save(content, name);
}
