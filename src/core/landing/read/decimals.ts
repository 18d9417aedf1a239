// Amounts as texts with a decimal point, exactly.

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;
/** An amount has fewer characters; the time to add numbers grows more than their length. */
const LONGEST_NUMBER = 100;

/** The parts of a plain number; undefined for another text, or a much too long one. */
function decimalIn(text: string): RegExpExecArray | undefined {
  if (text.length > LONGEST_NUMBER || !/\d/.test(text)) return undefined;
  return DECIMAL.exec(text) ?? undefined;
}

/** Moves the decimal point of a text to the right: units to cents. A text that is no plain number is returned unchanged. */
export function shifted(text: string | undefined, places: number): string | undefined {
  const parts = decimalIn(text ?? "");
  if (!parts) return text;
  const [, sign = "", whole = "", fraction = ""] = parts;
  const digits = fraction.padEnd(places, "0");
  const moved = `${whole}${digits.slice(0, places)}`.replace(/^0+(?=\d)/, "");
  const rest = digits.slice(places).replace(/0+$/, "");
  return `${sign}${moved}${rest === "" ? "" : `.${rest}`}`;
}

/** A number of any length, exactly: `units` of 10^-scale. */
export class Sum {
  #units = 0n;
  #scale = 0;

  /** Adds a text; returns whether it is a number. */
  add(text: string): boolean {
    const parts = decimalIn(text);
    if (!parts) return false;
    const [, sign, whole = "", fraction = ""] = parts;
    while (this.#scale < fraction.length) {
      this.#units *= 10n;
      this.#scale++;
    }
    const units = BigInt(`${whole}${fraction.padEnd(this.#scale, "0")}` || "0");
    this.#units += sign === "-" ? -units : units;
    return true;
  }

  toString(): string {
    const digits = String(this.#units < 0n ? -this.#units : this.#units).padStart(this.#scale + 1, "0");
    const whole = digits.slice(0, digits.length - this.#scale);
    const fraction = digits.slice(digits.length - this.#scale).replace(/0+$/, "");
    return `${this.#units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
  }
}

/** A plain number times whole units. */
export function times(amount: string, units: number): string {
  const [, sign = "", whole = "", fraction = ""] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(amount) ?? [];
  const product = String(BigInt(whole + fraction || "0") * BigInt(units)).padStart(fraction.length + 1, "0");
  const at = product.length - fraction.length;
  return `${sign}${product.slice(0, at)}${fraction === "" ? "" : `.${product.slice(at)}`}`;
}
