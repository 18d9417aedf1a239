/** Colors as people see them: contrast by WCAG 2, and simulated color blindness [Machado, Oliveira, Fernandes 2009]. */
type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const times = (matrix: Matrix, [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple;

const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

/** Linear red, green and blue of `#rrggbb`. */
export function linearOf(hex: string): Triple {
  const [, ...parts] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex) ?? [];
  if (parts.length !== 3) throw new Error(`${hex} is no color such as #0f6b52`);
  return parts.map((part) => toLinear(Number.parseInt(part, 16) / 255)) as unknown as Triple;
}

const luminance = ([red, green, blue]: Triple): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other].map((hex) => luminance(linearOf(hex))).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The complete forms of the three kinds of color blindness. */
export const VISIONS: Readonly<Record<string, Matrix>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** The color in OKLab, where equal distances look about equal. */
function oklab(rgb: Triple): Triple {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  ).map(Math.cbrt) as unknown as Triple;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

/** How different two colors look. */
export function distance(one: string, other: string, vision: Matrix): number {
  const [a, b] = [one, other].map((hex) => {
    const seen = times(vision, linearOf(hex)).map((channel) => Math.min(1, Math.max(0, channel)));
    return oklab(seen as unknown as Triple);
  });
  return Math.hypot(...[0, 1, 2].map((n) => (a?.[n] ?? 0) - (b?.[n] ?? 0)));
}
