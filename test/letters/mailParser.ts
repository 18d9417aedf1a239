interface Parsed {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

/** A mail of two parts, without what the library makes anew each time: the date and the boundary. */
export function simpleParser(raw: string): Parsed {
  const [head = "", ...rest] = raw.split(/\r\n\r\n/);
  const all = head
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .map((line): [string, string] => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    });
  const boundary = /boundary="([^"]+)"/.exec(head.replace(/\r\n[ \t]+/g, " "))?.[1] ?? "";
  const parts = rest.join("\r\n\r\n").split(`--${boundary}`);
  const partOf = (type: string): string => {
    const part = parts.find((one) => one.includes(`Content-Type: ${type}`)) ?? "";
    const [about = "", ...body] = part.split("\r\n\r\n");
    return decoded(body.join("\r\n\r\n"), about);
  };
  const headers = Object.fromEntries(all.filter(([name]) => !["date", "content-type", "received"].includes(name)));
  return { headers, text: partOf("text/plain"), html: partOf("text/html") };
}

function decoded(body: string, about: string): string {
  if (/base64/i.test(about)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/i.test(about)) return body;
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
