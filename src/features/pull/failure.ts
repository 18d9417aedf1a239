import type { Integration } from "../../core/contract/settings.ts";
import type { Client } from "./client.ts";
import { PullError } from "./declaration.ts";

/** Connectors quote the vendor too. */
export const cleaned = ({ kind, message, status, retryAt }: PullError, client: Client): PullError =>
  new PullError(kind, client.clean(message), {
    ...(status === undefined ? {} : { status }),
    ...(retryAt === undefined ? {} : { retryAt }),
  });

const FULL = ["ENOSPC", "EDQUOT", "EFBIG"];

/** An error that the vendor has no part in. */
export const failureOf = (message: string, { code = "" }: NodeJS.ErrnoException): string =>
  FULL.includes(code) ? `the disk is full (${message}): make room, and the next pull goes on from here` : message;

/** The vendor's message, and what to do about it. */
export function adviceOn({ kind, message }: PullError, { id }: Integration): string {
  if (kind === "credentials")
    return `the credentials are refused: ${message}; set new ones (lucra secrets set --integration ${id}), or repair the rights at the vendor, then lucra pull --check`;
  if (kind === "refused") return `the vendor refuses the request: ${message}; see docs/connectors.md for the rights`;
  if (kind === "tooMuch") return `the vendor refuses even the smallest request as too large: ${message}`;
  if (kind === "transient") return `the vendor does not answer: ${message}; the next pull goes on from here`;
  return message;
}
