import { roleIn } from "../../core/access/credentials.ts";
import { canonicalId } from "../../core/contract/param.ts";
import { PlatformError, refused } from "../platform/errors.ts";
import type { Call, Change, Resource } from "../platform/resource.ts";
import type { People, SavedView } from "./people.ts";

const NAME = { type: "string", minLength: 1, maxLength: 100, pattern: "\\S" };
/** A place in the Explorer, such as `overview?period=lastMonth`, without the organization. */
const PAGE = { type: "string", maxLength: 2_000, pattern: "^[a-z]{1,40}(\\?[^\\s#]*)?$" };
const RENAMED = { type: "object", additionalProperties: false, required: ["name"], properties: { name: NAME } };

interface Wanted {
  readonly name: string;
  readonly page: string;
}

interface OwnWanted extends Wanted {
  readonly organization: string;
}

/** Nothing of a customer stays here, where no erasure looks [D98]. */
const EMAIL = /@|%(25)*40/;
const NO_EMAIL = {
  pt: "Uma visão salva não guarda endereços de e-mail. Tire o endereço da consulta ou do nome.",
  en: "A saved view keeps no e-mail addresses. Take the address out of the query or the name.",
};

const TOO_MANY = {
  pt: "Já há 100 visões salvas. Remova alguma antes.",
  en: "There are 100 saved views already. Remove one first.",
};

/** Saved views [D92]: a name for an address of the Explorer, of a person, or of an organization for everybody who sees it. */
export const viewResources = ({ people }: { readonly people: People }): Resource[] => {
  const own = (call: Call): Promise<SavedView> => mine(people, call);
  const shared = (call: Call): Promise<SavedView> => found(people, call, undefined);
  return [
    {
      path: "/platform/me/views",
      who: "person",
      read: async ({ person, query }) => ({ data: (await ownOf(people, person, query.organization)).map(shown) }),
      add: {
        what: "me.views.add",
        body: {
          type: "object",
          additionalProperties: false,
          required: ["organization", "name", "page"],
          properties: { organization: { type: "string", maxLength: 40 }, name: NAME, page: PAGE },
        },
        logged: ({ organization, name }: OwnWanted) => ({ organization, name }),
        run: async ({ person, body }: Call<OwnWanted>) => {
          const organization = canonicalId(body.organization);
          if (!sees(person, organization)) throw new PlatformError("notFound");
          return added(people, { ...body, organization, person: person.email });
        },
      },
    },
    {
      path: "/platform/me/views/:view",
      who: "person",
      read: async (call) => shown(await own(call)),
      replace: renaming(people, "me.views.rename", own),
      remove: removing(people, "me.views.remove", own),
    },
    {
      path: "/platform/organizations/:organization/views",
      who: "viewer",
      read: async ({ organization }) => ({ data: (await people.views(organization, undefined)).map(shown) }),
      add: {
        what: "views.add",
        who: "admin",
        body: {
          type: "object",
          additionalProperties: false,
          required: ["name", "page"],
          properties: { name: NAME, page: PAGE },
        },
        logged: ({ name }: Wanted) => ({ name }),
        run: ({ organization, body }: Call<Wanted>) => added(people, { ...body, organization }),
      },
    },
    {
      path: "/platform/organizations/:organization/views/:view",
      who: "viewer",
      read: async (call) => shown(await shared(call)),
      replace: { ...renaming(people, "views.rename", shared), who: "admin" },
      remove: { ...removing(people, "views.remove", shared), who: "admin" },
    },
  ];
};

const shown = ({ id, organization, name, page }: SavedView): object => ({ id, organization, name, page });

async function found(people: People, { organization, params }: Call, email: string | undefined): Promise<SavedView> {
  const view = (await people.views(organization, email)).find(({ id }) => id === params.view);
  if (!view) throw new PlatformError("notFound");
  return view;
}

const sees = (person: Call["person"], organization: string): boolean =>
  person.isOperator || roleIn(person, organization) !== undefined;

/** The person's, in an organization or in all that the session sees. */
const ownOf = async (people: People, person: Call["person"], organization?: string): Promise<SavedView[]> =>
  (await people.views(organization === undefined ? undefined : canonicalId(organization), person.email)).filter((one) =>
    sees(person, one.organization),
  );

async function mine(people: People, { person, params }: Call): Promise<SavedView> {
  const view = (await ownOf(people, person)).find(({ id }) => id === params.view);
  if (!view) throw new PlatformError("notFound");
  return view;
}

async function added(people: People, wanted: Omit<SavedView, "id">): Promise<object> {
  if (EMAIL.test(wanted.page) || EMAIL.test(wanted.name)) throw refused("invalid", "page", NO_EMAIL);
  const view = await people.addView({ ...wanted, name: wanted.name.trim() });
  if (!view) throw refused("conflict", "name", TOO_MANY);
  return shown(view);
}

type FindView = (call: Call) => Promise<SavedView>;

const renaming = (people: People, what: string, find: FindView): Change<Pick<Wanted, "name">> => ({
  what,
  body: RENAMED,
  run: async (call) => {
    const view = await find(call);
    const name = call.body.name.trim();
    if (EMAIL.test(name)) throw refused("invalid", "name", NO_EMAIL);
    await people.renameView(view.id, name);
    return { ...shown(view), name };
  },
});

const removing = (people: People, what: string, find: FindView): Change => ({
  what,
  run: async (call) => {
    await people.removeView((await find(call)).id);
    return {};
  },
});
