import { useState } from "preact/hooks";
import { ofOrganization } from "../../../platform/request.ts";
import { useResource } from "../../../platform/use.ts";
import { said } from "../../../text.ts";
import { firstRun as FIRST_RUN } from "../../../words/later/firstRun.ts";
import { KeysForm } from "../connections/KeysForm.tsx";
import { NewConnection } from "../connections/NewConnection.tsx";
import type { Connection } from "../connections/types.ts";
import { Failed } from "../failed.tsx";
import { renewed } from "../renewed.ts";

/** The keys of a store's account: of the store that is there, or of a new one. */
export function Account({ connector }: { connector: "storea" | "storeb" }) {
  const words = said(FIRST_RUN);
  const { data, failure, reload } = useResource<{ data: readonly Connection[] }>(ofOrganization("connections"));
  const [isDone, setDone] = useState(false);
  if (failure && !data) return <Failed failure={failure} retry={() => void reload()} />;
  if (!data) return <p class="skeleton skeleton-small" />;
  const there = data.data.find(({ integration, isRemoved }) => integration.connector === connector && !isRemoved);
  if (isDone)
    return (
      <p role="status" class="upload-landed">
        {words.accountStarted}
      </p>
    );
  return (
    <>
      <p class="note">{words.accountHint}</p>
      {there ? (
        <KeysForm
          connection={there}
          path={ofOrganization(`connections/${there.integration.id}`)}
          done={(isChanged) => {
            setDone(isChanged);
            void renewed();
          }}
        />
      ) : (
        <NewConnection only={connector} done={() => void reload()} />
      )}
    </>
  );
}
