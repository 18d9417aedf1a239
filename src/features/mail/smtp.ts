import { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import type { Mail, SmtpSettings } from "./mail.ts";

const WAIT_MS = 30_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** When the text of a mail goes out. */
interface Watching {
  /** Before its first byte; if it rejects, none goes out. */
  readonly begin: () => Promise<void>;
  /** After its last one: the server may have it, whatever happens to the answer. */
  readonly ended: () => void;
}

/** Sends a mail. TLS, but to this machine. Rejects with the library's error, whose `responseCode` is the server's. */
export async function transmit(
  { url, from }: SmtpSettings,
  { to, headers, ...content }: Mail,
  watching?: Watching,
): Promise<void> {
  const isLocal = LOOPBACK.test(new URL(url).hostname);
  const transport = createTransport(
    {
      url,
      requireTLS: !isLocal,
      // A server of this machine may offer a certificate of its own making.
      ...(isLocal ? { tls: { rejectUnauthorized: false } } : {}),
      connectionTimeout: WAIT_MS,
      greetingTimeout: WAIT_MS,
      socketTimeout: WAIT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  if (watching) {
    transport.use("stream", (mail, done) => {
      mail.message.processFunc((input: Readable) => watched(input, watching));
      done();
    });
  }
  try {
    // As an object the address is not parsed: it cannot become several.
    await transport.sendMail({
      ...content,
      to: { name: "", address: to },
      ...(headers ? { headers: { ...headers } } : {}),
    });
  } finally {
    transport.close();
  }
}

/** The server asks for the text only when it takes the mail: until then nothing of it is read. */
function watched(input: Readable, { begin, ended }: Watching): Readable {
  async function* text(): AsyncGenerator<Buffer> {
    await begin();
    yield* input;
    ended();
  }
  return Readable.from(text());
}
