import { PlatformError, refused } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import { addressIn } from "./shared.ts";
import { SECTIONS, type Section, type Share, type Shares } from "./shares.ts";

interface Dependencies {
  /** Undefined: this service has no shares. */
  readonly shares: Shares | undefined;
  readonly publicUrl: string;
}

const DAY_MS = 86_400_000;
const DAYS = { fallback: 30, least: 1, most: 400 };
/** Answers that a page shows: the largest has some twenty. */
const MOST_ANSWERS = 60;

interface Wanted {
  readonly name: string;
  readonly page: string;
  readonly answers: readonly string[];
  readonly sections?: readonly Section[];
  readonly knownAt?: string;
  readonly days?: number;
}

const BODY = {
  type: "object",
  additionalProperties: false,
  required: ["name", "page", "answers"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 100 },
    page: { type: "string", maxLength: 2_000 },
    answers: { type: "array", minItems: 1, maxItems: MOST_ANSWERS, items: { type: "string", maxLength: 2_000 } },
    sections: { type: "array", items: { enum: SECTIONS } },
    knownAt: { type: "string", minLength: 1, maxLength: 100 },
    days: { type: "integer", minimum: DAYS.least, maximum: DAYS.most },
  },
};

const NOT_SHAREABLE = {
  pt: "Esta página mostra linhas, pedidos, clientes ou configurações, que não podem ser compartilhados.",
  en: "This page shows rows, orders, customers or settings, which cannot be shared.",
};

/**
 * Shares [D94]: an address that opens one page without an account. The page that is shared says which answers it shows, and
 * the share answers exactly these.
 */
export const shareResources = ({ shares, publicUrl }: Dependencies): Resource[] =>
  shares === undefined
    ? []
    : [
        {
          path: "/platform/organizations/:organization/shares",
          who: "admin",
          read: async ({ organization }) => ({ data: (await shares.of(organization)).map(listed) }),
          add: {
            what: "shares.add",
            body: BODY,
            secrets: ["url"],
            logged: ({ name, page, sections, knownAt, days }: Wanted) => ({ name, page, sections, knownAt, days }),
            run: (call: Call<Wanted>) => add(shares, publicUrl, call),
          },
        },
        {
          path: "/platform/organizations/:organization/shares/:share",
          who: "admin",
          read: (call) => one(shares, call),
          remove: {
            what: "shares.revoke",
            run: async (call) => {
              await shares.revoke((await one(shares, call)).id);
              return {};
            },
          },
        },
      ];

const listed = ({ answers: _, organization: __, ...share }: Share) => share;

async function one(shares: Shares, { organization, params }: Call) {
  const found = (await shares.of(organization)).find(({ id }) => id === params.share);
  if (!found || found.revokedAt) throw new PlatformError("notFound");
  // Openings are no change of the share.
  const { id, name, page, sections, maker, createdAt, expiresAt } = found;
  return { id, name, page, sections, maker, createdAt, expiresAt };
}

async function add(shares: Shares, publicUrl: string, { organization, person, body }: Call<Wanted>): Promise<object> {
  const { name, page, sections = [], knownAt, days = DAYS.fallback } = body;
  const answers = body.answers.map(addressIn);
  if (answers.includes(undefined)) throw refused("invalid", "answers", NOT_SHAREABLE);
  const { share, token } = await shares.create({
    organization,
    name: name.trim(),
    page,
    answers: [...new Set(answers as string[])],
    sections,
    ...(knownAt === undefined ? {} : { knownAt }),
    maker: person.email,
    expiresAt: new Date(Date.now() + days * DAY_MS).toISOString(),
  });
  return { ...listed(share), url: `${publicUrl}/explorer#share=${token}` };
}
