import { readFileSync } from "node:fs";
import { expect } from "chai";
import { contrast, distance, VISIONS } from "./vision.ts";

const CSS = readFileSync(new URL("../../explorer/src/style/colors.css", import.meta.url), "utf8");

/** The colors of a theme: a role is one color, or `light-dark()` of two. */
function colorsOf(theme: "light" | "dark"): Readonly<Record<string, string>> {
  const roles = CSS.matchAll(/--([\w-]+): (?:light-dark\()?(#[\da-f]{6})(?:, (#[\da-f]{6})\))?;/g);
  // The first definition is that of the screen, and the later one of print.
  return Object.fromEntries(
    [...roles].toReversed().map(([, name, light, dark]) => [name, theme === "light" ? light : (dark ?? light)]),
  );
}

const THEMES = { light: colorsOf("light"), dark: colorsOf("dark") };
const SERIES = Array.from({ length: 8 }, (_, n) => `series-${n + 1}`);

describe("The colors of the Explorer", () => {
  it("are defined for both themes", () => {
    expect(Object.keys(THEMES.light)).to.have.length.above(25);
    expect(THEMES.light.surface).to.not.equal(THEMES.dark.surface);
  });

  for (const [theme, colors] of Object.entries(THEMES)) {
    const of = (name: string): string => colors[name] ?? "";

    it(`give texts a contrast of 4.5 on every ground, ${theme}`, () => {
      for (const ground of ["page", "surface", "sunken", "raised"]) {
        for (const text of ["ink", "muted", "accent", "good", "bad", "warn"]) {
          expect(contrast(of(text), of(ground)), `${text} on ${ground}`).to.be.at.least(4.5);
        }
      }
      for (const tone of ["good", "bad", "warn", "info"]) {
        for (const text of [tone, "ink"]) {
          expect(contrast(of(text), of(`${tone}-ground`)), `${text} on ${tone}-ground`).to.be.at.least(4.5);
        }
      }
      expect(contrast(of("accent-ink"), of("accent"))).to.be.at.least(4.5);
    });

    it(`give the shapes of charts a contrast of 3, ${theme}`, () => {
      for (const shape of [...SERIES, "series-9", "accent", "contrast", "good", "bad", "muted"]) {
        expect(contrast(of(shape), of("surface")), shape).to.be.at.least(3);
      }
    });

    it(`give the edge of a field a contrast of 3, ${theme}`, () => {
      expect(contrast(of("field-line"), of("surface"))).to.be.at.least(3);
    });

    it(`of two series differ with every kind of color vision, ${theme}`, () => {
      for (const [vision, matrix] of Object.entries(VISIONS)) {
        for (const [n, one] of SERIES.entries()) {
          for (const other of SERIES.slice(0, n)) {
            // The first four are those of most charts.
            const least = n < 4 ? 0.1 : 0.06;
            expect(distance(of(one), of(other), matrix), `${one} and ${other}, ${vision}`).to.be.at.least(least);
          }
        }
      }
    });
  }
});
