/** The lines of a text, without their line ends. A line longer than `most` bytes is cut, but stays longer than that. */
export async function* linesIn(chunks: AsyncIterable<Buffer>, most = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      const end = chunk.subarray(from, at);
      yield parts.length > 0 ? Buffer.concat([...parts, end]) : end;
      parts = [];
      length = 0;
      from = at + 1;
    }
    if (from < chunk.length && length <= most) {
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
    }
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
