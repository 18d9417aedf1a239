import { useState } from "preact/hooks";
import { addStyle } from "../../later.tsx";
import { add, ofOrganization, removeNow } from "../../platform/request.ts";
import { type Resource, useChange, useResource } from "../../platform/use.ts";
import { route, writeAddress } from "../../route.ts";
import { isAdmin, organization, shortOf } from "../../session.ts";
import { said, t } from "../../text.ts";
import { Form, Loaded } from "../../views/settings/parts.tsx";
import { savedViews as WORDS } from "../../words/later/savedViews.ts";
import { Drawer } from "../Modal.tsx";
import { Refused } from "../Refused.tsx";

// The form is one of the settings.
addStyle("settings");

interface View {
  readonly id: string;
  readonly name: string;
  /** A view with what is chosen in it, without the organization. */
  readonly page: string;
}

type Views = Resource<{ readonly data: readonly View[] }>;

const OWN = "/platform/me/views";

/** The page as it is now; its language is the reader's. */
function pageNow(): string {
  const { view, args } = route.peek();
  const { lang: _, at: __, explain: ___, ...shown } = args;
  return writeAddress({ organization: "", view, section: "", args: shown }).replace(/^#\//, "");
}

/** Names for addresses of the page: the person's, and those of the organization [D92]. */
export function SavedViews({ close }: { close: () => void }) {
  const words = said(WORDS);
  const id = organization.value?.id ?? "";
  const own: Views = useResource(`${OWN}?organization=${encodeURIComponent(id)}`);
  const shared: Views = useResource(ofOrganization("views"));
  const reload = async (): Promise<void> => {
    await Promise.all([own.reload(), shared.reload()]);
  };
  const at = (one: View): string => `#/${encodeURIComponent(shortOf(id))}/${one.page}`;
  const pathOf = (home: string) => (one: View) => `${home}/${encodeURIComponent(one.id)}`;
  return (
    <Drawer title={t().frame.savedViews} close={close}>
      <div class="explanation">
        <List title={words.own} of={own} at={at} close={close} removes={pathOf(OWN)} reload={reload} />
        <List
          title={words.shared}
          of={shared}
          at={at}
          close={close}
          removes={isAdmin.value ? pathOf(ofOrganization("views")) : undefined}
          reload={reload}
        />
        <NewView reload={reload} organizationId={id} />
      </div>
    </Drawer>
  );
}

interface ListProps {
  readonly title: string;
  readonly of: Views;
  readonly at: (view: View) => string;
  readonly close: () => void;
  /** Where one is removed; undefined: the person may not. */
  readonly removes: ((view: View) => string) | undefined;
  readonly reload: () => Promise<void>;
}

function List({ title, of, at, close, removes, reload }: ListProps) {
  const words = said(WORDS);
  const change = useChange();
  const remove = async (path: string): Promise<void> => {
    await change.run(() => removeNow(path));
    await reload();
  };
  return (
    <section>
      <h3>{title}</h3>
      <Loaded of={of}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="note">{words.none}</p>
          ) : (
            <ul class="account-sessions plain">
              {data.map((one) => (
                <li key={one.id}>
                  <a href={at(one)} aria-label={words.open(one.name)} onClick={close}>
                    {one.name}
                  </a>
                  {removes && (
                    <button
                      type="button"
                      disabled={change.isRunning}
                      aria-label={words.removeOf(one.name)}
                      onClick={() => void remove(removes(one))}
                    >
                      {words.remove}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Refused failure={change.failure} />
    </section>
  );
}

function NewView({ reload, organizationId }: { reload: () => Promise<void>; organizationId: string }) {
  const words = said(WORDS);
  const change = useChange();
  const [name, setName] = useState("");
  const [isForAll, setForAll] = useState(false);
  const save = async (): Promise<void> => {
    const wanted = { name: name.trim(), page: pageNow() };
    const isSaved = await change.run(() =>
      isForAll ? add(ofOrganization("views"), wanted) : add(OWN, { organization: organizationId, ...wanted }),
    );
    if (isSaved) setName("");
    await reload();
  };
  return (
    <section>
      <h3>{words.save}</h3>
      <p class="note">{words.saveHint}</p>
      <Form change={change} submit={() => void save()} canSave={name.trim() !== ""}>
        <Refused failure={change.failure} />
        <label class="field">
          <span>{words.name}</span>
          <input
            name="view-name"
            value={name}
            required
            maxLength={100}
            autocomplete="off"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        {isAdmin.value && (
          <label>
            <input
              type="checkbox"
              name="for-all"
              checked={isForAll}
              onChange={({ currentTarget }) => setForAll(currentTarget.checked)}
            />{" "}
            {words.forAll}
          </label>
        )}
      </Form>
    </section>
  );
}
