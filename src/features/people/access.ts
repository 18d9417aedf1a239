import { roleIn, type SignedIn, type Verified } from "../../core/access/credentials.ts";
import { LOCAL, type People } from "./people.ts";

interface Dependencies {
  readonly people: Pick<People, "find">;
  readonly organizations: { ids(): Promise<readonly string[]> };
}

/** What people may read and change now. */
export class PeopleAccess {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** A person as the client of a request; undefined without any role. `only`: in no other organization than this one. */
  async verified(email: string, only?: string): Promise<Verified | undefined> {
    const { people, organizations } = this.#deps;
    const person = email === LOCAL ? undefined : await people.find(email);
    const isOperator = only === undefined && (email === LOCAL || person?.operator === true);
    const roles = only === undefined ? (person?.roles ?? {}) : rolesOf(person?.roles ?? {}, only);
    const bound = isOperator ? await organizations.ids() : Object.keys(roles);
    if (!isOperator && bound.length === 0) return undefined;
    const limited = only === undefined ? {} : { only };
    return { clientId: email, organizations: bound, person: { email, isOperator, roles, ...limited } };
  }
}

const rolesOf = (roles: SignedIn["roles"], only: string): SignedIn["roles"] => {
  const role = roleIn({ roles }, only);
  return role === undefined ? {} : { [only]: role };
};
