import { foldersOf } from "../../core/files/organizationFolders.ts";
import { erasuresOf } from "../../core/landing/ledger/erasures.ts";
import { PlatformError, refused, type Said } from "../platform/errors.ts";
import type { Call, Resource } from "../platform/resource.ts";
import type { FindingsJson } from "./findings.ts";
import { faultIn, NAMED_BY, type NamedBy, type NamingFault, selectorOf } from "./selector.ts";
import { type CustomerWork, ErasingNow, type Search } from "./work.ts";

const HOME = "/platform/organizations/:organization/customers";
const SEARCH = `${HOME}/searches/:search` as const;

const WANTED = {
  type: "object",
  additionalProperties: false,
  required: ["by", "value"],
  properties: {
    by: { enum: NAMED_BY },
    value: { type: "string", minLength: 1, maxLength: 320 },
    with: { type: "boolean" },
  },
};
const NOTHING = { type: "object", additionalProperties: false };

interface Wanted {
  readonly by: NamedBy;
  readonly value: string;
  readonly with?: boolean;
}

interface Dependencies {
  readonly dataDir: string;
  readonly work: CustomerWork;
}

/**
 * The data of a customer [D98]. `POST …/customers/searches` `{by, value, with?}` → `{id, isSearching}`, or what was found:
 * `{id, places, orders, otherOrders, unread, rows}`; `GET` asks on, `DELETE` forgets it. A search is its person's, in memory for half an
 * hour, and in no log. `GET …/data`: the rows. `POST …/erasure` begins to erase what was shown; `GET …/customers/erasures` →
 * `{data: [{no, at, doneAt}], last}`, `last` with its progress; `POST` erases once more what was erased before.
 */
export const customerResources = ({ dataDir, work }: Dependencies): Resource[] => [
  {
    path: `${HOME}/searches`,
    who: "admin",
    add: {
      what: "customers.find",
      isLogged: false,
      body: WANTED,
      run: async ({ organization, person, body }: Call<Wanted>) => {
        const fault = faultIn(body.by, body.value);
        if (fault) throw refused("invalid", "value", FAULTS[fault]);
        return shown(work, work.search(organization, person.email, selectorOf(body.by, body.value, body.with)));
      },
    },
  },
  {
    path: SEARCH,
    who: "admin",
    read: async (call) => shown(work, searchOf(work, call)),
    remove: {
      what: "customers.find",
      isLogged: false,
      run: async (call) => {
        work.leave(searchOf(work, call));
        return {};
      },
    },
  },
  {
    path: `${SEARCH}/data`,
    who: "admin",
    read: async (call) => {
      const found = await foundBy(work, searchOf(work, call));
      if (!found) throw new PlatformError("notFound");
      return found;
    },
  },
  {
    path: `${SEARCH}/erasure`,
    who: "admin",
    add: {
      what: "customers.erase",
      // Its process writes the line, with its number.
      isLogged: false,
      isRecent: true,
      body: NOTHING,
      run: async (call) => {
        await work.erase(searchOf(work, call)).catch(orNow);
        return erasures(dataDir, work, call.organization);
      },
    },
  },
  {
    path: `${HOME}/erasures`,
    who: "admin",
    read: ({ organization }) => erasures(dataDir, work, organization),
    add: {
      what: "customers.eraseAgain",
      // As above.
      isLogged: false,
      isRecent: true,
      body: NOTHING,
      run: async ({ organization, person }) => {
        try {
          work.again(organization, person.email);
        } catch (error) {
          orNow(error);
        }
        return erasures(dataDir, work, organization);
      },
    },
  },
];

async function erasures(dataDir: string, work: CustomerWork, organization: string): Promise<object> {
  const all = await erasuresOf(foldersOf(dataDir, organization));
  return {
    data: all.map(({ no, at, doneAt = null }) => ({ no, at, doneAt })).reverse(),
    last: (await work.last(organization)) ?? null,
  };
}

function searchOf(work: CustomerWork, { organization, person, params }: Call): Search {
  const search = work.find(organization, person.email, params.search ?? "");
  if (!search) throw new PlatformError("notFound");
  return search;
}

/** What there is, without the data themselves: these are asked for. */
async function shown(work: CustomerWork, search: Search): Promise<object> {
  const found = await foundBy(work, search);
  if (!found) return { id: search.id, isSearching: true };
  const { data, files: _, ...others } = found;
  return { id: search.id, isSearching: false, ...others, rows: data.length };
}

/** Why a search failed is no fault of who asked, and the next one may do. */
async function foundBy(work: CustomerWork, search: Search): Promise<FindingsJson | undefined> {
  return work.foundBy(search).catch((error: Error) => {
    work.leave(search);
    throw refused("conflict", "", {
      pt: `Não foi possível procurar: ${error.message}`,
      en: `The search failed: ${error.message}`,
    });
  });
}

function orNow(error: unknown): never {
  throw error instanceof ErasingNow ? refused("conflict", "", NOW) : error;
}

const NOW = {
  pt: "Outra exclusão desta organização está em andamento. Aguarde o fim dela.",
  en: "Another erasure of this organization is under way. Wait until it has ended.",
};

const FAULTS: Readonly<Record<NamingFault, Said>> = {
  many: {
    pt: "Este endereço não é de uma só pessoa. Procure pelo pedido.",
    en: "This is no address of one person. Look for the order.",
  },
  filler: { pt: "Este id não é de um só cliente.", en: "This is no id of one customer." },
  empty: { pt: "Diga o que procurar.", en: "Say what to look for." },
  shortPhone: { pt: "Um telefone tem pelo menos oito dígitos.", en: "A phone has at least eight digits." },
  shortDocument: {
    pt: "Um documento tem pelo menos cinco caracteres.",
    en: "A document has at least five characters.",
  },
};
