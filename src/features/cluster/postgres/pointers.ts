import { CURRENT, type Numbered, type Numbers, type Pointers } from "../../../core/coordination/coordination.ts";
import { type Connections, LastKnown, type Row } from "./connections.ts";
import { HELD, type PostgresTurns } from "./turns.ts";

const FIND =
  "select content, version::text as version, changed_at from lucra.pointers where organization = $1 and name = $2";

const ALL = `
select name, content, extract(epoch from clock_timestamp() - changed_at) * 1000 as age
  from lucra.pointers where organization = $1 order by name`;

/** One row if the turn is held; `is_put` says whether the pointer was the expected one. */
const put = (when: string, insert: string): string =>
  `
with ${HELD},
changed as (
  update lucra.pointers set content = $4, version = nextval('lucra.versions'), changed_at = clock_timestamp()
    where organization = $1 and name = $3 and exists (from_held) ${when}
    returning 1
),
added as (${insert})
select exists (select from changed) or exists (select from added) as is_put from held`.replace(
    "from_held",
    "select from held",
  );

const INSERT = `
  insert into lucra.pointers (organization, name, content, version, changed_at)
    select $1, $3, $4, nextval('lucra.versions'), clock_timestamp() from held
      where not exists (select from changed)
    on conflict (organization, name) do nothing
    returning 1`;

const NOTHING = "select 1 where false";

const PUT_ANY = put("", INSERT);
const PUT_NEW = put("and false", INSERT);
const PUT_EXPECTED = put("and content = $5", NOTHING);

const REMOVE = `
with ${HELD},
removed as (delete from lucra.pointers where organization = $1 and name = $3 and exists (select from held))
select * from held`;

/** Pointers as rows. Every change is by the holder of the organization's turn. */
export class PostgresPointers implements Pointers {
  readonly #connections: Connections;
  readonly #turns: PostgresTurns;
  readonly #known: LastKnown<Row | undefined>;

  constructor(connections: Connections, turns: PostgresTurns) {
    this.#connections = connections;
    this.#turns = turns;
    this.#known = new LastKnown(connections);
  }

  async text(organization: string, name: string): Promise<string | undefined> {
    return (await this.#find(organization, name))?.content as string | undefined;
  }

  async version(organization: string): Promise<string | undefined> {
    return (await this.#find(organization, CURRENT))?.version as string | undefined;
  }

  async changedAt(organization: string): Promise<Date | undefined> {
    return (await this.#find(organization, CURRENT))?.changed_at as Date | undefined;
  }

  async all(organization: string) {
    const rows = await this.#connections.query(ALL, [organization]);
    return rows.map(({ name, content, age }) => ({
      name: String(name),
      text: String(content),
      ageMs: async () => Number(age),
    }));
  }

  async put(
    organization: string,
    name: string,
    text: string,
    options: { readonly expected?: string | undefined } = {},
  ): Promise<boolean> {
    const turn = this.#turns.held(organization);
    const isAny = !("expected" in options);
    const statement = isAny ? PUT_ANY : options.expected === undefined ? PUT_NEW : PUT_EXPECTED;
    const expected = isAny || options.expected === undefined ? [] : [options.expected];
    const [row] = await turn.query(statement, [name, text, ...expected]);
    return row?.is_put === true;
  }

  async remove(organization: string, name: string): Promise<void> {
    await this.#turns.held(organization).query(REMOVE, [name]);
  }

  #find(organization: string, name: string): Promise<Row | undefined> {
    return this.#known.of(`${organization} ${name}`, async () => {
      const [row] = await this.#connections.lookup(FIND, [organization, name]);
      return row;
    });
  }
}

const CLAIM = `
with ${HELD}
insert into lucra.numbers (organization, kind, last) select $1, $3, $4::bigint from held
  on conflict (organization, kind) do update set last = greatest(numbers.last + 1, excluded.last)
  returning last::text as last`;

/** Numbers that are claimed by the holder of the turn. */
export class PostgresNumbers implements Numbers {
  readonly #turns: PostgresTurns;

  constructor(turns: PostgresTurns) {
    this.#turns = turns;
  }

  async claim(organization: string, kind: Numbered, atLeast: number): Promise<number> {
    const [row] = await this.#turns.held(organization).query(CLAIM, [kind, atLeast]);
    return Number(row?.last);
  }
}
