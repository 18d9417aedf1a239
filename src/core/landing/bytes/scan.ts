/**
 * Finds the vendor's objects in JSON of any size without parsing them: the output is the bytes of each row, unchanged,
 * so that an id of twenty digits keeps all digits. Memory is bounded by the largest row.
 */

import { SAYS_MORE } from "./incomplete.ts";

/** A node of the tree of envelope paths: its children are keys of an object and elements of an array. */
interface Step {
  readonly steps: Map<string, Step>;
  elements: Step | null;
  row: boolean;
  context: boolean;
}

export interface Envelopes extends Step {
  /** Keys of the vendor's object: a document with one of them is not an envelope. */
  readonly own: ReadonlySet<string>;
}

const newStep = (): Step => ({ steps: new Map(), elements: null, row: false, context: false });

/** Paths such as `data.orders.edges[].node`, and the keys next to an array that its rows need or that say what it lacks. */
export function envelopesOf(
  paths: readonly string[],
  context: readonly string[] = [],
  own: readonly string[] = [],
): Envelopes {
  const root = { ...newStep(), own: new Set(own) };
  const walk = (keys: readonly string[]): Step => {
    let step: Step = root;
    for (const key of keys) {
      const next: Step = (key === "[]" ? step.elements : step.steps.get(key)) ?? newStep();
      if (key === "[]") step.elements = next;
      else step.steps.set(key, next);
      step = next;
    }
    return step;
  };
  for (const path of paths) {
    const keys = path.replaceAll("[]", ".[]").split(".").filter(Boolean);
    walk(keys).row = true;
    const rows = keys.lastIndexOf("[]");
    if (rows > 0) for (const key of [...context, ...SAYS_MORE]) walk([...keys.slice(0, rows - 1), key]).context = true;
  }
  return root;
}

export interface RowSink {
  /**
   * A row's bytes; null in place of one that is larger than `LARGEST_ROW`. `report`: the envelope it came in, or -1.
   */
  row(bytes: Buffer | null, report: number): void;
  context(report: number, key: string, bytes: Buffer): void;
}

/** The reason is in the log, the report and the status. */
const LONGEST_REASON = 500;

/** An error that makes the whole file unreadable. Its message must not contain values of rows. */
export class FileError extends Error {
  constructor(reason: string) {
    super(reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason);
  }
}

export const LARGEST_ROW = 32 * 1024 * 1024;
/**
 * Limit on buffered unexpected values of a document that may still prove to be an envelope. Only repeated keys reach
 * it.
 */
const MOST_UNEXPECTED = 100;
/** Nested containers, including the file itself. */
export const LARGEST_DEPTH = 500;

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

interface Frame {
  readonly array: boolean;
  /** The node of this container in the tree of envelopes; null outside them and inside a row. */
  step: Step | null;
  /** Whether the container holds whole documents: the top level, and an array at the top level. */
  readonly documents: boolean;
  key: string;
  expectKey: boolean;
  /** The number of the innermost envelope around; -1 outside any. */
  report: number;
}

/**
 * The bytes of a value that began at `start` of the present chunk, or earlier: then `parts` holds the earlier bytes.
 */
class ByteRange {
  #parts: Buffer[] = [];
  #length = 0;
  #start: number;
  readonly depth: number;

  constructor(start: number, depth: number) {
    this.#start = start;
    this.depth = depth;
  }

  chunkEnds(chunk: Buffer): void {
    this.#keep(chunk.subarray(this.#start));
    this.#start = 0;
  }

  finish(chunk: Buffer, end: number): Buffer | null {
    this.#keep(chunk.subarray(this.#start, end));
    return this.#length > LARGEST_ROW
      ? null
      : this.#parts.length === 1
        ? (this.#parts[0] as Buffer)
        : Buffer.concat(this.#parts);
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > LARGEST_ROW) this.#parts = [];
    else this.#parts.push(part);
  }
}

export class Scanner {
  readonly #found: RowSink;
  readonly #root: Envelopes;
  #stack: Frame[];
  #string = false;
  #escaped = false;
  /** A number, true, false, null (or garbage) under way. */
  #scalar = false;
  #key: ByteRange | null = null;
  /** The present document, until a row is found in it. */
  #document: ByteRange | null = null;
  #inner: { capture: ByteRange; step: Step; key: string; report: number } | null = null;
  /** Whether the present document is an envelope. */
  #envelope = false;
  /** An envelope may have another value in the place of its rows: it is passed on as a row, to be rejected. */
  #unexpected: ByteRange | null = null;
  readonly #unexpectedValues: (Buffer | null)[] = [];
  #reports: number;
  #read = 0;

  /** Envelopes are numbered from `firstReport` on. */
  constructor(envelopes: Envelopes, found: RowSink, firstReport = 0) {
    this.#root = envelopes;
    this.#found = found;
    this.#reports = firstReport;
    this.#stack = [{ array: true, step: null, documents: true, key: "", expectKey: false, report: -1 }];
  }

  /** The number that the next envelope takes. */
  get nextReport(): number {
    return this.#reports;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at++) {
      if (this.#string) {
        at = this.#endOfString(chunk, at);
        if (at < chunk.length) this.#endString(chunk, at);
        continue;
      }
      const byte = chunk[at] as number;
      if (byte === QUOTE) {
        this.#beginString(at);
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#open(at, byte === OPEN_ARRAY);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.#scalar) this.#endValue(chunk, at);
        this.#close(chunk, at, byte === CLOSE_ARRAY);
      } else if (byte === COMMA) {
        if (this.#scalar) this.#endValue(chunk, at);
        const frame = this.#top();
        frame.expectKey = !frame.array;
      } else if (byte === COLON || byte <= 0x20) {
        if (this.#scalar && byte !== COLON) this.#endValue(chunk, at);
      } else if (!this.#scalar) {
        this.#beginValue(at, "scalar");
        this.#scalar = true;
      }
    }
    this.#read += chunk.length;
    for (const capture of [this.#document, this.#inner?.capture, this.#unexpected, this.#key])
      capture?.chunkEnds(chunk);
  }

  /** Call at the end of the input: fails in the middle of a value. */
  end(): void {
    if (this.#scalar) this.#endValue(Buffer.alloc(0), 0);
    if (this.#string || this.#stack.length > 1) {
      throw new FileError(
        `ends in the middle of a value, after ${this.#read} bytes: cut short, or still being written`,
      );
    }
  }

  #top(): Frame {
    return this.#stack[this.#stack.length - 1] as Frame;
  }

  /**
   * The index of the quote that ends the present string, or the chunk's length. A tight loop: most bytes are strings.
   */
  #endOfString(chunk: Buffer, from: number): number {
    let escaped = this.#escaped;
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) break;
    }
    this.#escaped = escaped;
    return at;
  }

  #beginString(at: number): void {
    const frame = this.#top();
    if (frame.expectKey) {
      if (frame.step) this.#key = new ByteRange(at, this.#stack.length);
    } else this.#beginValue(at, "scalar");
    this.#string = true;
  }

  #endString(chunk: Buffer, at: number): void {
    this.#string = false;
    const frame = this.#top();
    if (!frame.expectKey) {
      this.#endValue(chunk, at + 1);
      return;
    }
    frame.expectKey = false;
    const raw = this.#key?.finish(chunk, at + 1);
    this.#key = null;
    frame.key = raw ? keyText(raw) : "";
  }

  /** Begins a value: a document, a row of an envelope, a context, or a value that is skipped. */
  #beginValue(at: number, kind: "array" | "object" | "scalar"): Step | null {
    const frame = this.#top();
    const depth = this.#stack.length;
    const array = kind === "array";
    if (frame.documents) {
      this.#envelope = false;
      this.#unexpectedValues.length = 0;
      // An array at the top level holds documents itself.
      if (!(array && depth === 1)) this.#document = new ByteRange(at, depth);
      return this.#root;
    }
    if (this.#isOwnKey(frame)) {
      this.#beginOwn(at, frame);
      return null;
    }
    const step = (frame.array ? frame.step?.elements : frame.step?.steps.get(frame.key)) ?? null;
    if (!step) return null;
    if (step.row || step.context || (array && step.elements)) {
      this.#envelope = true;
      if (step.row) this.#document = null;
      else this.#numberReport(frame);
    }
    if (step.row || step.context) {
      this.#inner = { capture: new ByteRange(at, depth), step, key: frame.key, report: frame.report };
      return null;
    }
    if ((array && step.elements) || (kind === "object" && step.steps.size > 0)) return step;
    this.#unexpected = new ByteRange(at, depth);
    return null;
  }

  #isOwnKey(frame: Frame): boolean {
    return frame.step === this.#root && !frame.array && this.#root.own.has(frame.key);
  }

  /**
   * The document is an object of the vendor that also has a key of an envelope. If rows were found below that key, they
   * have been passed on, and the value is passed on to be rejected.
   */
  #beginOwn(at: number, frame: Frame): void {
    if (this.#document === null) {
      this.#unexpected = new ByteRange(at, this.#stack.length);
      return;
    }
    frame.step = null;
    this.#envelope = false;
    this.#unexpectedValues.length = 0;
  }

  /** The object that holds rows or their context is an envelope with a number of its own. */
  #numberReport(frame: Frame): void {
    const around = this.#stack[this.#stack.length - 2];
    if (frame.report === (around?.report ?? -1)) frame.report = this.#reports++;
  }

  #open(at: number, array: boolean): void {
    if (this.#stack.length >= LARGEST_DEPTH)
      throw new FileError(`nested deeper than ${LARGEST_DEPTH} levels at byte ${this.#read + at}`);
    const topLevelArray = array && this.#stack.length === 1;
    const step = this.#beginValue(at, array ? "array" : "object");
    const { report } = this.#top();
    this.#stack.push({
      array,
      step: topLevelArray ? null : step,
      documents: topLevelArray,
      key: "",
      expectKey: !array,
      report,
    });
  }

  #close(chunk: Buffer, at: number, array: boolean): void {
    const frame = this.#stack.length > 1 ? this.#stack.pop() : undefined;
    if (!frame || frame.array !== array) throw new FileError(`malformed JSON at byte ${this.#read + at}`);
    if (frame.documents) return;
    this.#endValue(chunk, at + 1);
  }

  #endValue(chunk: Buffer, end: number): void {
    this.#scalar = false;
    const depth = this.#stack.length;
    if (this.#inner?.capture.depth === depth) {
      const { capture, step, key, report } = this.#inner;
      this.#inner = null;
      const bytes = capture.finish(chunk, end);
      if (step.row) this.#found.row(bytes, report);
      else if (bytes) this.#found.context(report, key, bytes);
    } else if (this.#document?.depth === depth) {
      const bytes = this.#document.finish(chunk, end);
      this.#document = null;
      if (!this.#envelope) this.#found.row(bytes, -1);
    } else if (this.#unexpected?.depth === depth) {
      const bytes = this.#unexpected.finish(chunk, end);
      this.#unexpected = null;
      if (bytes?.toString("latin1") !== "null" && this.#unexpectedValues.length < MOST_UNEXPECTED)
        this.#unexpectedValues.push(bytes);
    }
    if (this.#unexpectedValues.length > 0 && this.#envelope)
      for (const bytes of this.#unexpectedValues.splice(0)) this.#found.row(bytes, -1);
  }
}

/** The text of a key; empty if it is not a valid string. */
export function keyText(raw: Buffer): string {
  const text = raw.toString("utf8");
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return "";
  }
}
