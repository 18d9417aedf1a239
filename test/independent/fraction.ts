/** An exact number: nothing is rounded before `rounded`. */
export class Fraction {
  readonly over: bigint;
  readonly under: bigint;

  constructor(over: bigint | number, under: bigint | number = 1n) {
    const [a, b] = [BigInt(over), BigInt(under)];
    if (b === 0n) throw new Error("nothing divides by zero");
    const sign = b < 0n ? -1n : 1n;
    const common = divisor(a < 0n ? -a : a, b * sign);
    this.over = (sign * a) / common;
    this.under = (sign * b) / common;
  }

  static readonly zero = new Fraction(0);
  static readonly one = new Fraction(1);

  /** Text such as `12.345`. */
  static of(decimal: number | string): Fraction {
    const [whole = "0", part = ""] = String(decimal).split(".");
    return new Fraction(BigInt(whole + part), 10n ** BigInt(part.length));
  }

  static sum(all: Iterable<Fraction>): Fraction {
    let total = Fraction.zero;
    for (const one of all) total = total.plus(one);
    return total;
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.over * other.under + other.over * this.under, this.under * other.under);
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.over, other.under));
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.over * other.over, this.under * other.under);
  }

  /** Null if the other is zero. */
  per(other: Fraction): Fraction | null {
    return other.isZero ? null : new Fraction(this.over * other.under, this.under * other.over);
  }

  get isZero(): boolean {
    return this.over === 0n;
  }

  /** The square root, exact if it is rational, else to 30 decimals. Of a number that is not negative. */
  root(): Fraction {
    const [over, under] = [rootOf(this.over), rootOf(this.under)];
    if (over * over === this.over && under * under === this.under) return new Fraction(over, under);
    return new Fraction(rootOf((this.over * 10n ** 60n) / this.under), 10n ** 30n);
  }

  /** Negative, zero, positive: smaller, equal, greater. */
  compare(other: Fraction): number {
    const difference = this.minus(other).over;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** To so many decimals, half away from zero [D8]. */
  rounded(decimals: number): Fraction {
    const scale = 10n ** BigInt(decimals);
    const positive = this.over < 0n ? -this.over : this.over;
    const whole = (2n * positive * scale + this.under) / (2n * this.under);
    return new Fraction(this.over < 0n ? -whole : whole, scale);
  }

  /** The rounded value, as a JSON number. */
  number(decimals: number): number {
    const { over, under } = this.rounded(decimals);
    const scaled = (over * 10n ** BigInt(decimals)) / under;
    const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, "0");
    const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
    return scaled < 0n ? -Number(text) : Number(text);
  }
}

function divisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

/** The integer part of the square root, by Newton's method. */
function rootOf(square: bigint): bigint {
  let root = square;
  for (let next = (square + 1n) / 2n; next < root; next = (root + square / root) / 2n) root = next;
  return root;
}
