import { createTransport } from "nodemailer";
import type { Mail, SmtpSettings } from "./mail.ts";

const WAIT_MS = 30_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Sends a mail. TLS, but to this machine. Rejects with the library's error, whose `responseCode` is the server's. */
export async function transmit({ url, from }: SmtpSettings, { to, headers, ...content }: Mail): Promise<void> {
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
