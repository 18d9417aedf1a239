/** Bytes that mean something to one of the formats. */
const MARKS = Buffer.from(",;\t|\"'\n\r.-0e{}[]: ");

/** A copy with some of its bytes changed, and how many were. */
export function damaged(content: Buffer, random: () => number): { content: Buffer; bytes: number } {
  let bytes = 0;
  let copy = Buffer.from(content);
  const upTo = (most: number): number => Math.floor(random() * most);
  const byte = (): number => {
    const kind = upTo(3);
    if (kind === 0) return upTo(256);
    return (kind === 1 ? MARKS[upTo(MARKS.length)] : copy[upTo(copy.length)]) ?? 0x20;
  };
  const spliced = (at: number, removed: number, added: Buffer): void => {
    bytes += Math.max(Math.min(removed, copy.length - at), added.length);
    copy = Buffer.concat([copy.subarray(0, at), added, copy.subarray(at + removed)]);
  };
  const operations: readonly (() => void)[] = [
    () => spliced(upTo(copy.length), 1, Buffer.of(byte())),
    () => {
      const at = upTo(copy.length);
      spliced(at, 1, Buffer.of((copy[at] ?? 0) ^ (1 << upTo(8))));
    },
    () => spliced(upTo(copy.length), 1 + upTo(random() < 0.8 ? 2 : 80), Buffer.alloc(0)),
    () => spliced(upTo(copy.length), 0, Buffer.from(Array.from({ length: 1 + upTo(random() < 0.8 ? 2 : 40) }, byte))),
    () => {
      const from = upTo(copy.length);
      const block = copy.subarray(from, from + 1 + upTo(300));
      spliced(random() < 0.5 ? from : upTo(copy.length), 0, Buffer.from(block));
    },
    () => {
      const [from, to] = [",;", ";,", '",', ',"', ".,", ",.", "\"'", "\t,", "\r\n"].map((pair) => Buffer.from(pair))[
        upTo(9)
      ] as Buffer as unknown as [number, number];
      const start = random() < 0.1 ? 0 : upTo(copy.length);
      const end = random() < 0.1 ? copy.length : start + upTo(200);
      for (let at = start; at < Math.min(end, copy.length); at++) {
        if (copy[at] !== from) continue;
        copy[at] = to;
        bytes++;
      }
    },
  ];
  for (let n = 1 + upTo(random() < 0.7 ? 2 : 12); n > 0; n--) operations[upTo(operations.length)]?.();
  if (random() < 0.04) spliced(1 + upTo(copy.length), copy.length, Buffer.alloc(0));
  return { content: copy, bytes };
}
