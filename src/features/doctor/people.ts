import { readdir } from "node:fs/promises";
import type { Config } from "../../core/config.ts";
import { damagedLines, LOG } from "../../core/coordination/fileLogs.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { paths } from "../../core/files/paths.ts";
import { People } from "../people/people.ts";
import { type Finding, finding } from "./report.ts";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Findings about those who sign in, and about the log of their changes. */
export async function peopleFindings(config: Config): Promise<Finding[]> {
  const { dataDir, platform, hasPublicUrl, smtp, trustedProxies, host } = config;
  const people = await new People(dataDir).list();
  const operators = people.filter(({ operator }) => operator).map(({ email }) => ({ email }));
  const isUncounted = platform && smtp !== undefined && trustedProxies.length === 0 && LOOPBACK.test(host);
  return [
    ...(platform && people.length > 0 && !hasPublicUrl
      ? [
          finding(
            "peopleWithoutAddress",
            "notice",
            "people can sign in, and LUCRA_PUBLIC_URL is not set: the page signs in and changes something on this machine alone",
          ),
        ]
      : []),
    ...(isUncounted
      ? [
          finding(
            "uncountedAddresses",
            "notice",
            "requests for a link are not counted by network address: name the proxy in LUCRA_TRUSTED_PROXIES, such as 127.0.0.1",
          ),
        ]
      : []),
    ...(operators.length > 0
      ? // Whole addresses, unlike those in data: they are what the operator has to know.
        [
          {
            ...finding("operators", "notice", "operators, who are admins of all organizations", operators),
            rows: operators,
          },
        ]
      : []),
    ...(await logFindings(dataDir)),
  ];
}

/** Lines of the log that are not what Lucra wrote. */
async function logFindings(dataDir: string): Promise<Finding[]> {
  // Rows of a database are whole.
  if (coordinationOf(dataDir).documents.isShared) return [];
  const names = (await readdir(paths.audit(dataDir)).catch(() => [] as string[])).filter((name) => name.endsWith(LOG));
  const damaged = await Promise.all(
    names.sort().map(async (file) => ({ file: `audit/${file}`, ...(await damagedLines(dataDir, file)) })),
  );
  const rows = damaged
    .filter(({ lines }) => lines.length > 0)
    .map(({ file, lines, count }) => ({ file, lines: count, first: lines.join(", ") }));
  return rows.length === 0
    ? []
    : [
        finding(
          "damagedLog",
          "wrong",
          "lines of the log of changes that are not readable, and count for nothing",
          rows,
        ),
      ];
}
