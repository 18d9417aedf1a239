import { useState } from "preact/hooks";
import type { Query } from "../../api.ts";
import { later } from "../../later.tsx";
import { isAdmin, person } from "../../session.ts";
import { said } from "../../text.ts";
import { shares as WORDS } from "../../words/later/shares.ts";

const ShareDialog = later(() => import("./ShareDialog.tsx").then((loaded) => loaded.ShareDialog));

interface Props {
  readonly name: string;
  readonly queries: readonly Query[];
  readonly hasProfit: boolean;
  readonly isDisabled: boolean;
}

/** For admins, where the service has shares: shares the page that is shown. */
export function ShareButton({ isDisabled, ...props }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (!isAdmin.value || !person.value) return null;
  if (!person.value.shares)
    return person.value.hasPublicUrl === false ? <span class="note">{said(WORDS).needsAddress}</span> : null;
  return (
    <>
      <button type="button" disabled={isDisabled} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {said(WORDS).share}
      </button>
      {isOpen && <ShareDialog {...props} close={() => setOpen(false)} />}
    </>
  );
}
