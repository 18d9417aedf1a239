import type { IncomingMessage } from "node:http";

/** The longest body, and the longest time that it may take to arrive. */
export interface Most {
  readonly bytes: number;
  readonly milliseconds: number;
}

/** A body was not read to its end: the rest follows on the connection, which is to be closed after the answer. */
export class Unreceived extends Error {
  readonly reason: "large" | "slow";

  constructor(reason: Unreceived["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** The body of a request. At most the limit is kept; a body that announces more is not read. */
export async function received(request: IncomingMessage, { bytes: most, milliseconds }: Most): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > most) throw new Unreceived("large");
  return new Promise((done, fail) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const late = setTimeout(() => end(() => fail(new Unreceived("slow"))), milliseconds);
    const end = (then: () => void): void => {
      clearTimeout(late);
      request.removeAllListeners("data");
      then();
    };
    request.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > most) return end(() => fail(new Unreceived("large")));
      parts.push(part);
    });
    request.once("end", () => end(() => done(Buffer.concat(parts))));
    // The client is gone: there is nobody to answer.
    request.once("error", (error) => end(() => fail(error)));
    request.once("close", () => end(() => done(Buffer.concat(parts))));
  });
}
