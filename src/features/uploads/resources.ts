import { isOutOfSpace } from "../../core/contract/error.ts";
import { CONNECTORS } from "../../core/contract/record.ts";
import { EXPENSE_ITEMS } from "../../core/organizations/costs.ts";
import { PlatformError, refused, type Said } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import { type RefusalKind, UploadRefusal } from "./refusal.ts";
import { type LandedExport, LIMITS, type Wish } from "./upload.ts";
import type { UploadWork } from "./work.ts";

const HOME = "/platform/organizations/:organization";
const UPLOAD = `${HOME}/uploads/:upload` as const;
const FILES = `${HOME}/integrations/:integration/files` as const;

const text = (most: number) => ({ type: "string", minLength: 1, maxLength: most }) as const;
const object = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  ...{ type: "object", additionalProperties: false, properties, required },
});
const SHA256 = { type: "string", pattern: "^[0-9a-fA-F]{64}$" };
const EXPORT = object({ record: text(100), file: text(1_000), landing: { type: "integer", minimum: 1 } });
const WISH = object(
  {
    integration: text(100),
    connector: { enum: CONNECTORS },
    name: text(200),
    timezone: text(100),
    record: text(100),
    columns: { type: "object", maxProperties: 500, additionalProperties: text(400) },
    items: { type: "object", maxProperties: 500, additionalProperties: { enum: EXPENSE_ITEMS } },
    oneDayExpenses: {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(EXPENSE_ITEMS.map((item) => [item, { enum: ["day", "month"] }])),
    },
    numbers: { enum: ["pt-BR", "en"] },
    campaignsByName: { type: "boolean" },
    allOrdersPaid: { type: "boolean" },
  },
  [],
);
const NOTHING = { type: "object", additionalProperties: false };

type Exported = Omit<LandedExport, "integration">;

/** Files that are dropped on the page, and those that have landed [D93]. All of it is for admins. */
export const uploadResources = (work: UploadWork): Resource[] => [...sent(work), ...landing(work), ...arrived(work)];

const sent = (work: UploadWork): Resource[] => [
  {
    path: `${HOME}/uploads`,
    who: "admin",
    /** `{data: ShownUpload[], limits}`, the newest first. */
    read: async ({ organization }) => ({ data: await work.list(organization), limits: LIMITS }),
    /** A place for a file of `bytes` bytes → `{id}`. `sha256`, if it is given, must be that of what arrives. */
    add: {
      what: "uploads.add",
      body: object({ name: text(20_000), bytes: { type: "integer" }, sha256: SHA256 }, ["name", "bytes"]),
      logged: ({ name, bytes }: { name: string; bytes: number }) => ({ name: name.slice(0, 200), bytes }),
      run: ({ organization, body, person }) =>
        told(async () => ({ id: (await work.create(organization, { ...body, by: person.email })).id })),
    },
  },
  {
    path: UPLOAD,
    who: "admin",
    /** `UploadDetail`: how much has arrived, the last look, how far its landing is, what it has landed as. */
    read: ({ organization, params }) => told(() => work.get(organization, params.upload ?? "")),
    /** Removes a file that waits; of one that has landed only the entry: its rows stay. */
    remove: {
      what: "uploads.remove",
      run: ({ organization, params }) =>
        told(async () => {
          await work.remove(organization, params.upload ?? "");
          return {};
        }),
    },
  },
  {
    path: `${UPLOAD}/pieces/:offset`,
    who: "admin",
    /** The bytes of a file from an offset on, at most 1 MB → `{received}`: the next offset. 409 has it too, as `present`. */
    replace: {
      what: "uploads.piece",
      isLogged: false,
      isBytes: true,
      most: LIMITS.piece,
      run: ({ organization, params, body }: Call<Buffer>) =>
        told(() => work.piece(organization, params.upload ?? "", numberIn(params.offset), body)),
    },
  },
];

const landing = (work: UploadWork): Resource[] => [
  {
    path: `${UPLOAD}/look`,
    who: "admin",
    /** What the file is and would land as, by `Wish` → `UploadDetail`; with `busy: "looking"`, ask `GET` until it is null. */
    add: {
      what: "uploads.look",
      isLogged: false,
      body: WISH,
      run: ({ organization, params, body }: Call<Wish>) =>
        told(() => work.preview(organization, params.upload ?? "", body)),
    },
  },
  {
    path: `${UPLOAD}/landing`,
    who: "admin",
    /** Begins to land what the look with this id showed → `{id}`; `GET` has the progress. 412: it was looked at otherwise meanwhile. */
    add: {
      what: "uploads.land",
      body: object({ look: text(100) }),
      logged: async (body: { look: string }, call: Call) => ({ ...body, ...(await labelled(work, call)) }),
      run: ({ organization, params, body, person }: Call<{ look: string }>) =>
        told(async () => {
          await work.land(organization, params.upload ?? "", { look: body.look, by: person.email });
          return { id: params.upload };
        }),
    },
  },
  {
    path: `${UPLOAD}/undo`,
    who: "admin",
    /** Revokes what it has landed as, file by file → `{done}`; false: it goes on, `busy: "undoing"`. */
    add: {
      what: "uploads.undo",
      body: NOTHING,
      logged: (_: unknown, call: Call) => labelled(work, call),
      run: ({ organization, params }) => told(() => work.undo(organization, params.upload ?? "")),
    },
  },
];

const arrived = (work: UploadWork): Resource[] => [
  {
    path: FILES,
    who: "admin",
    /** `ArrivedPage`: what has landed for the integration, the newest first, 50 a page; `?before=` is the `before` of the last one. */
    read: ({ organization, params, query }) =>
      told(() =>
        work.arrived(
          organization,
          params.integration ?? "",
          query.before === undefined ? undefined : numberIn(query.before),
        ),
      ),
  },
  {
    path: `${FILES}/undo`,
    who: "admin",
    /** Revokes one export of a landing → `{done}`; false: it goes on. */
    add: {
      what: "uploads.undo",
      body: EXPORT,
      run: ({ organization, params, body }: Call<Exported>) =>
        told(() => work.undoExport(organization, { ...body, integration: params.integration ?? "" })),
    },
  },
  {
    path: `${FILES}/again`,
    who: "admin",
    /** Begins to land an export again that others have replaced → `{id}` of an upload, which `GET` shows. */
    add: {
      what: "uploads.again",
      body: EXPORT,
      run: ({ organization, params, body, person }: Call<Exported>) =>
        told(() => work.again(organization, person.email, { ...body, integration: params.integration ?? "" })),
    },
  },
];

/** What the log says of a file: its label. */
const labelled = async (work: UploadWork, { organization, params }: Call): Promise<{ readonly name: string }> => ({
  name: await work.labelOf(organization, params.upload ?? ""),
});

const numberIn = (sent = ""): number => (/^\d{1,15}$/.test(sent) ? Number(sent) : Number.NaN);

/** The result, or a refusal in the words of the page. */
async function told<T extends object>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UploadRefusal) throw toldRefusal(error);
    if (isOutOfSpace(error as Error)) throw toldRefusal(new UploadRefusal("noRoom"));
    throw error;
  }
}

function toldRefusal({ kind, facts }: UploadRefusal): PlatformError {
  const [refusal, parameter, said] = TOLD[kind];
  const { details } = refused(refusal, parameter, said).more;
  return new PlatformError(refusal, { ...(details ? { details } : {}), present: { reason: kind, ...facts } });
}

const TOLD: Readonly<Record<RefusalKind, readonly [Parameters<typeof refused>[0], string, Said]>> = {
  unknown: ["notFound", "", { pt: "Este arquivo não existe mais.", en: "This file does not exist any more." }],
  invalid: [
    "invalid",
    "",
    {
      pt: "Um arquivo tem pelo menos um byte, e cada parte começa onde a anterior terminou.",
      en: "A file has at least one byte, and each piece begins where the one before ended.",
    },
  ],
  tooLarge: [
    "tooLarge",
    "bytes",
    {
      pt: "Um arquivo pode ter até 200 MB, em partes de até 1 MB, e não mais do que foi anunciado. Divida-o em vários.",
      en: "A file may have up to 200 MB, in pieces of up to 1 MB, and no more than was announced. Split it into several.",
    },
  ],
  tooMany: [
    "conflict",
    "",
    {
      pt: "Já há 20 arquivos ou 2 GB à espera. Importe ou remova alguns antes de enviar outros.",
      en: "20 files or 2 GB are waiting already. Land or remove some of them before you send others.",
    },
  ],
  noRoom: [
    "noRoom",
    "",
    {
      pt: "O disco do servidor está quase cheio. Quem cuida do servidor precisa liberar espaço.",
      en: "The server's disk is almost full. Whoever operates the server has to make room.",
    },
  ],
  offset: [
    "conflict",
    "offset",
    { pt: "O envio continua em outro ponto do arquivo.", en: "The file goes on at another place." },
  ],
  differs: [
    "conflict",
    "offset",
    {
      pt: "Esta parte é diferente da que já chegou: é outro arquivo. Remova o envio e comece de novo.",
      en: "This piece differs from what has arrived: it is another file. Remove it, and begin again.",
    },
  ],
  state: [
    "conflict",
    "",
    { pt: "Isso não é possível no estado atual do arquivo.", en: "The present state of the file does not allow this." },
  ],
  look: [
    "changed",
    "look",
    {
      pt: "Este arquivo foi conferido de outra forma enquanto isso. Confira-o de novo.",
      en: "This file was looked at otherwise meanwhile. Look at it again.",
    },
  ],
  notReady: [
    "conflict",
    "look",
    {
      pt: "Este arquivo ainda não pode ser importado: veja o que falta.",
      en: "This file cannot land yet: see what is missing.",
    },
  ],
};
