/** A log-likelihood with its first and second derivatives. */
export interface Evaluation {
  readonly value: number;
  readonly gradient: readonly number[];
  /** The second derivatives, row by row. */
  readonly hessian: readonly (readonly number[])[];
}

type LogLikelihood = (parameters: readonly number[]) => Evaluation;

export interface Maximum {
  readonly parameters: readonly number[];
  readonly value: number;
  /** How often the log-likelihood was evaluated. */
  readonly evaluations: number;
}

/** Between these every parameter is searched [D55]. */
export const LEAST = 0.0001;
export const MOST = 10_000;

const LOWEST = Math.log(LEAST);
const HIGHEST = Math.log(MOST);
/** The expected gain of a further step, at the end and for choosing among the starts. [D55] requires 0.00001. */
const PRECISE = 1e-8;
const COARSE = 0.01;
/** The most steps of one climb. */
const MOST_STEPS = 300;
/** The longest step of a parameter's logarithm. */
const LONGEST = 2;

/**
 * The parameters with the largest log-likelihood. From each start Newton's method climbs over the logarithms of the
 * parameters, within their bounds; a matrix that is not definite is damped. The best of the ends is then made precise.
 */
export function maximize(logLikelihood: LogLikelihood, starts: readonly (readonly number[])[]): Maximum {
  const climber = new Climber(logLikelihood);
  const ends = starts.map((start) => climber.climb(start.map(Math.log).map(bounded), COARSE));
  const best = ends.reduce((one, other) => (other.value > one.value ? other : one));
  const { at, value } = climber.climb(best.at, PRECISE);
  return { parameters: at.map(parameterOf), value, evaluations: climber.evaluations };
}

const bounded = (logarithm: number): number => Math.min(HIGHEST, Math.max(LOWEST, logarithm));

/** Exactly the bound at a bound. */
function parameterOf(logarithm: number): number {
  return logarithm === LOWEST ? LEAST : logarithm === HIGHEST ? MOST : Math.exp(logarithm);
}

/** A place, by the logarithms of the parameters, with the log-likelihood there and its derivatives by them. */
interface Place extends Evaluation {
  readonly at: readonly number[];
}

class Climber {
  readonly #logLikelihood: LogLikelihood;
  evaluations = 0;

  constructor(logLikelihood: LogLikelihood) {
    this.#logLikelihood = logLikelihood;
  }

  climb(start: readonly number[], precision: number): Place {
    let place = this.#place(start);
    let damping = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      const free = place.at.map((_, no) => no).filter((no) => !isHeld(place, no));
      if (isFlat(place, free)) return place;
      const move = newtonStep(place, free, damping);
      if (move && damping === 0 && gainOf(place, move) < precision) return place;
      const next = move && this.#place(moved(place, move));
      if (next && next.value > place.value) {
        place = next;
        damping = damping < LEAST_DAMPING ? 0 : damping / 10;
      } else {
        damping = Math.max(LEAST_DAMPING, damping * 10);
        if (damping > MOST_DAMPING) return place;
      }
    }
    return place;
  }

  #place(at: readonly number[]): Place {
    this.evaluations++;
    const parameters = at.map(parameterOf);
    const { value, gradient, hessian } = this.#logLikelihood(parameters);
    const slope = gradient.map((one, no) => one * (parameters[no] ?? 0));
    const curvature = hessian.map((row, no) =>
      row.map(
        (one, other) => one * (parameters[no] ?? 0) * (parameters[other] ?? 0) + (no === other ? (slope[no] ?? 0) : 0),
      ),
    );
    return { at, value, gradient: slope, hessian: curvature };
  }
}

/** Damping is relative to the curvature. */
const LEAST_DAMPING = 1e-4;
const MOST_DAMPING = 1e12;

/** At a bound beyond which the log-likelihood would rise. */
function isHeld({ at, gradient }: Place, no: number): boolean {
  const slope = gradient[no] ?? 0;
  return (at[no] === LOWEST && slope <= 0) || (at[no] === HIGHEST && slope >= 0);
}

/** Whether nothing could be gained even if the slopes stayed the same up to the bounds. */
function isFlat({ gradient }: Place, free: readonly number[]): boolean {
  const most = free.reduce((sum, no) => sum + Math.abs(gradient[no] ?? 0), 0);
  return most * (HIGHEST - LOWEST) < 1e-7;
}

/** The gain that the slopes promise for a Newton step. */
const gainOf = ({ gradient }: Place, move: readonly number[]): number =>
  move.reduce((sum, one, no) => sum + 0.5 * one * (gradient[no] ?? 0), 0);

/** The step, 0 for parameters that are not free; undefined if the damped matrix is not definite. */
function newtonStep({ gradient, hessian }: Place, free: readonly number[], damping: number): number[] | undefined {
  const scale = free.reduce((most, no) => Math.max(most, Math.abs(hessian[no]?.[no] ?? 0)), 0);
  const matrix = free.map((no) =>
    free.map((other) => -(hessian[no]?.[other] ?? 0) + (no === other ? damping * scale : 0)),
  );
  const solution = solved(
    matrix,
    free.map((no) => gradient[no] ?? 0),
  );
  if (!solution) return undefined;
  const move = gradient.map(() => 0);
  free.forEach((no, at) => {
    move[no] = solution[at] ?? 0;
  });
  return move;
}

/** The place after a step of limited length, within the bounds. */
function moved({ at }: Place, move: readonly number[]): number[] {
  const longest = move.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const factor = longest > LONGEST ? LONGEST / longest : 1;
  return at.map((one, no) => bounded(one + factor * (move[no] ?? 0)));
}

/** The solution of a system with a symmetric matrix, by Cholesky's method; undefined if it is not positive definite. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
  const lower: number[][] = [];
  const between: number[] = [];
  for (const [no, row] of matrix.entries()) {
    const own: number[] = [];
    for (let other = 0; other <= no; other++) {
      let rest = row[other] ?? 0;
      for (let k = 0; k < other; k++) rest -= (own[k] ?? 0) * (lower[other]?.[k] ?? own[k] ?? 0);
      if (other < no) own.push(rest / (lower[other]?.[other] ?? 1));
      else if (rest > 1e-14 * Math.abs(row[no] ?? 0)) own.push(Math.sqrt(rest));
      else return undefined;
    }
    lower.push(own);
    const known = own.slice(0, no).reduce((sum, one, k) => sum + one * (between[k] ?? 0), 0);
    between.push(((right[no] ?? 0) - known) / (own[no] ?? 1));
  }
  const solution = between.map(() => 0);
  for (let no = between.length - 1; no >= 0; no--) {
    let rest = between[no] ?? 0;
    for (let k = no + 1; k < between.length; k++) rest -= (lower[k]?.[no] ?? 0) * (solution[k] ?? 0);
    solution[no] = rest / (lower[no]?.[no] ?? 1);
  }
  return solution.every(Number.isFinite) ? solution : undefined;
}
