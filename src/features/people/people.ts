import { randomBytes } from "node:crypto";
import { OperatorError } from "../../core/contract/error.ts";
import { canonicalId } from "../../core/contract/param.ts";
import type { Document } from "../../core/coordination/coordination.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { paths } from "../../core/files/paths.ts";
import type { Storage } from "../../core/files/storage.ts";

export const ROLES = ["viewer", "admin"] as const;
/** `viewer` reads, `admin` also changes. */
export type Role = (typeof ROLES)[number];

export const LANGUAGES = ["pt-BR", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The operator at the machine itself, who is nobody's e-mail address. */
export const LOCAL = "local";

interface Person {
  readonly email: string;
  /** Admin of all organizations; made by command alone. */
  readonly operator?: boolean;
  readonly language?: Language;
  /** By organization. */
  readonly roles: Readonly<Record<string, Role>>;
  readonly addedAt: string;
  /** Whether the person ever signed in. */
  readonly hasSignedIn?: boolean;
}

/** What is given to a person by `add`; without `role` nothing but an account. */
export interface Given {
  readonly organizations: readonly string[];
  readonly role: Role;
  readonly operator?: boolean | undefined;
}

/** A name for an address of the Explorer [D92]. */
export interface SavedView {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly page: string;
  /** Whose it is; undefined: the organization's. */
  readonly person?: string;
}

/** How many a person, or an organization, may have in an organization. */
const MOST_VIEWS = 100;

interface Content {
  readonly people: readonly Person[];
  readonly views?: readonly SavedView[];
}

const SCHEMA = {
  type: "object",
  required: ["people"],
  properties: {
    people: {
      type: "array",
      items: {
        type: "object",
        required: ["email", "roles"],
        properties: {
          email: { type: "string", minLength: 1 },
          operator: { type: "boolean" },
          language: { enum: LANGUAGES },
          roles: { type: "object", additionalProperties: { enum: ROLES } },
        },
      },
    },
    views: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "organization", "name", "page"],
        properties: {
          id: { type: "string", minLength: 1 },
          organization: { type: "string", minLength: 1 },
          name: { type: "string" },
          page: { type: "string" },
          person: { type: "string" },
        },
      },
    },
  },
} as const;

/** No blanks, control characters or those that separate addresses: a header of a mail has it as it is. */
const EMAIL = /^[^\s\p{C}@<>"(),:;\\[\]]{1,64}@[^\s\p{C}@<>"(),:;\\[\]]{1,189}$/u;

/** An e-mail address in the spelling in which people are known; undefined if it is none. */
export function emailIn(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > 320) return undefined;
  const email = text.trim().normalize("NFC").toLowerCase();
  return EMAIL.test(email) && /\.[^.@]+$/.test(email) ? email : undefined;
}

export const NO_EMAIL = { pt: "Não é um endereço de e-mail.", en: "This is no e-mail address." };

type ByEmail = Map<string, Person>;

const byEmail = ({ people }: Content): ByEmail =>
  new Map(
    people.map((person) => {
      const roles = Object.entries(person.roles).map(([id, role]) => [canonicalId(id), role]);
      return [person.email, { ...person, roles: Object.fromEntries(roles) }];
    }),
  );

/** The change would leave an organization without an admin: only a command does that. */
export class LastAdmin extends Error {}

/** Within the change itself: two admins who take each other's role at once leave one. */
function assertOtherAdmin(people: ByEmail, email: string, organization: string): void {
  const isAdmin = ({ roles }: Person): boolean => roles[organization] === "admin";
  const known = people.get(email);
  const isLast = known && isAdmin(known) && [...people.values()].filter(isAdmin).length === 1;
  if (isLast) throw new LastAdmin();
}

/** The people of `people.json` [D90]. */
export class People {
  readonly #file: Document<Content>;
  #known: { readonly of: Content | undefined; readonly people: ByEmail } = { of: undefined, people: new Map() };

  /** If the file becomes invalid, the last good people stay in force, and `onProblem` is called once. */
  constructor(dataDir: string, onProblem?: (problem: string) => void, storage?: Storage) {
    this.#file = coordinationOf(dataDir).documents.open<Content>({
      file: paths.people(dataDir),
      lock: paths.peopleLock(dataDir),
      command: "people",
      schema: SCHEMA,
      nothing: { people: [] },
      onProblem,
      storage,
    });
  }

  /** The person now in force, for a request. */
  async find(email: string): Promise<Person | undefined> {
    const content = await this.#file.current();
    if (content !== this.#known.of) this.#known = { of: content, people: byEmail(content) };
    return this.#known.people.get(email);
  }

  /** Whether there is such a person now. */
  async isKnown(email: string): Promise<boolean> {
    return (await this.list()).some((person) => person.email === email);
  }

  async list(): Promise<Person[]> {
    return [...byEmail(await this.#file.read()).values()];
  }

  /** Those with a role in an organization, by address. */
  async of(organization: string): Promise<Person[]> {
    const all = await this.list();
    return all.filter(({ roles }) => Object.hasOwn(roles, organization)).sort((a, b) => (a.email < b.email ? -1 : 1));
  }

  /** Gives roles; a person who has one gets another one. `keepsAdmin`: fails with `LastAdmin` rather than take the last one. */
  add(email: string, { organizations, role, operator }: Given, keepsAdmin = false): Promise<Person> {
    return this.#change((people) => {
      if (keepsAdmin && role !== "admin") for (const id of organizations) assertOtherAdmin(people, email, id);
      const known = people.get(email) ?? { email, roles: {}, addedAt: new Date().toISOString() };
      const roles = { ...known.roles, ...Object.fromEntries(organizations.map((id) => [id, role])) };
      const person = { ...known, roles, ...(operator ? { operator } : {}) };
      people.set(email, person);
      return person;
    });
  }

  /** Takes the role in an organization, or the person altogether. Fails if there is nothing to take. `keepsAdmin`: as for `add`. */
  remove(email: string, organization?: string, keepsAdmin = false): Promise<void> {
    return this.#change(
      (people) => {
        if (keepsAdmin && organization !== undefined) assertOtherAdmin(people, email, organization);
        const known = people.get(email);
        if (!known || (organization !== undefined && !Object.hasOwn(known.roles, organization)))
          throw new OperatorError(
            `${email}: no such person${organization === undefined ? "" : " of this organization"}`,
          );
        const { [organization ?? ""]: _, ...roles } = known.roles;
        const isGone = organization === undefined || (Object.keys(roles).length === 0 && !known.operator);
        if (isGone) people.delete(email);
        else people.set(email, { ...known, roles });
      },
      ({ person, organization: of }) => person === email && (organization === undefined || of === organization),
    );
  }

  /** Changes what a person chose or did; nothing if the person is gone. */
  update(email: string, values: Partial<Pick<Person, "language" | "hasSignedIn">>): Promise<void> {
    return this.#change((people) => {
      const known = people.get(email);
      if (known) people.set(email, { ...known, ...values });
    });
  }

  /** The saved views of a person, or of an organization (`email` undefined), by name. */
  async views(organization: string | undefined, email: string | undefined): Promise<SavedView[]> {
    const { views = [] } = await this.#file.read();
    return views
      .filter((one) => one.person === email && (organization === undefined || one.organization === organization))
      .sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
  }

  /** Undefined if there are too many already. */
  addView(wanted: Omit<SavedView, "id">): Promise<SavedView | undefined> {
    const view = { id: randomBytes(9).toString("base64url"), ...wanted };
    const isSame = (one: SavedView): boolean => one.person === view.person && one.organization === view.organization;
    return this.#file.change((content) => {
      const views = content.views ?? [];
      if (views.filter(isSame).length >= MOST_VIEWS) return { content, result: undefined };
      return { content: { ...content, views: [...views, view] }, result: view };
    });
  }

  renameView(id: string, name: string): Promise<void> {
    return this.#changeViews((views) => views.map((one) => (one.id === id ? { ...one, name } : one)));
  }

  removeView(id: string): Promise<void> {
    return this.#changeViews((views) => views.filter((one) => one.id !== id));
  }

  #changeViews(change: (views: readonly SavedView[]) => readonly SavedView[]): Promise<void> {
    return this.#file.change(({ views = [], ...content }) => ({
      content: { ...content, views: change(views) },
      result: undefined,
    }));
  }

  /** `isOver`: saved views that go along. */
  #change<T>(change: (people: ByEmail) => T, isOver: (view: SavedView) => boolean = () => false): Promise<T> {
    return this.#file.change(({ people: before, views, ...content }) => {
      const people = byEmail({ people: before });
      const result = change(people);
      const kept = views?.filter((one) => !isOver(one));
      return { content: { ...content, people: [...people.values()], ...(kept ? { views: kept } : {}) }, result };
    });
  }
}
