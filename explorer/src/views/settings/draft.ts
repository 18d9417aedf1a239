import { effect, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { Failure } from "../../api.ts";
import { ofOrganization, Refusal, replace } from "../../platform/request.ts";
import { type Resource, useChange, useResource } from "../../platform/use.ts";
import { person } from "../../session.ts";
import { isSame } from "./merged.ts";

/** A section of the settings while somebody edits it: what is in force, what is to be saved, and what became of saving. */
export interface Draft<T extends object, Sent = T> {
  /** Undefined until it was read. */
  readonly base: T | undefined;
  readonly now: T | undefined;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  readonly failure: Failure | undefined;
  /** What somebody else saved meanwhile; nothing of the draft was. */
  readonly theirs: T | undefined;
  /** What saving sends, and what the effect is computed of. */
  readonly toSend: Sent | null;
  readonly change: (next: T) => void;
  readonly discard: () => void;
  readonly save: () => Promise<boolean>;
  /** Goes on from what somebody else saved: with the own changes, or without. */
  readonly merge: () => void;
  readonly takeTheirs: () => void;
  readonly reload: Resource<unknown>["reload"];
}

/** A section as the service has it; null: it is absent. */
interface Written<T> {
  readonly value: T | null;
}

interface Options<T, Sent> {
  /** What an absent section means. */
  readonly empty: T;
  /** The own changes made to what somebody else saved. */
  readonly merged: (base: T, own: T, theirs: T) => T;
  /** What is edited of a section that is there, and what is sent; by default the value, and null where it is empty. */
  readonly read?: (value: Sent) => T;
  readonly written?: (value: T) => Sent | null;
}

interface Kept {
  readonly base: unknown;
  readonly tag: string;
  readonly now: unknown;
}

/** What is not saved yet, by person and section: it stays while other pages of the Explorer are looked at. */
const kept = signal<ReadonlyMap<string, Kept>>(new Map());

const keyOf = (section: string): string => `${person.value?.email ?? ""} ${sectionPath(section)}`;

function keep(key: string, draft: Kept | undefined): void {
  const next = new Map(kept.peek());
  if (draft) next.set(key, draft);
  else next.delete(key);
  kept.value = next;
}

/** Whether a section has changes that are not saved. */
export const isUnsaved = (section: string): boolean => kept.value.has(keyOf(section));

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
// Closing the page would lose them.
effect(() => {
  if (kept.value.size > 0) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
});

/** The address of a section. */
export const sectionPath = (section: string): string => ofOrganization(`settings/${section}`);

/** Edits a section. A change of another section, or a later reading of this one, does not touch what is being edited. */
export function useDraft<T extends object, Sent = T>(
  section: string,
  { empty, merged, read: shown = (value) => value as unknown as T, written }: Options<T, Sent>,
): Draft<T, Sent> {
  const path = sectionPath(section);
  const resource = useResource<Written<Sent>>(path);
  const saving = useChange();
  const key = keyOf(section);
  const draft = kept.value.get(key) as { base: T; tag: string; now: T } | undefined;
  const setDraft = (next: typeof draft): void => keep(key, next);
  const [theirs, setTheirs] = useState<{ value: T; tag: string } | undefined>();
  const [isSaved, setSaved] = useState(false);
  const editedOf = ({ value }: Written<Sent>): T => (value === null ? empty : shown(value));
  const read = resource.data && editedOf(resource.data);
  const toSend = written ?? ((value: T) => (isSame(value, empty) ? null : (value as unknown as Sent)));
  const begin = (next: T, from?: { value: T; tag: string }): void => {
    const here = draft ? { value: draft.base, tag: draft.tag } : { value: read ?? empty, tag: resource.tag };
    const { value, tag } = from ?? here;
    setDraft(isSame(value, next) ? undefined : { base: value, tag, now: next });
    setSaved(false);
    saving.forget();
  };
  const goOn = (next: T | undefined): void => {
    if (!theirs) return;
    if (next) begin(next, theirs);
    else setDraft(undefined);
    setTheirs(undefined);
    saving.forget();
    void resource.reload();
  };
  return {
    base: draft?.base ?? read,
    now: draft?.now ?? read,
    isChanged: draft !== undefined,
    isSaving: saving.isRunning,
    isSaved,
    failure: theirs ? undefined : (saving.failure ?? (resource.data ? undefined : resource.failure)),
    theirs: theirs?.value,
    toSend: draft ? toSend(draft.now) : null,
    change: (next) => begin(next),
    discard: () => {
      setDraft(undefined);
      saving.forget();
    },
    async save() {
      if (!draft) return true;
      const isDone = await saving.run(() =>
        replace(path, { value: toSend(draft.now) }, draft.tag).catch((error: unknown) => {
          if (error instanceof Refusal && error.reason === "changed" && error.present)
            setTheirs({ value: editedOf(error.present.data as Written<Sent>), tag: error.present.tag });
          throw error;
        }),
      );
      if (!isDone) return false;
      await resource.reload();
      setDraft(undefined);
      setSaved(true);
      return true;
    },
    merge: () => theirs && draft && goOn(merged(draft.base, draft.now, theirs.value)),
    takeTheirs: () => goOn(undefined),
    reload: resource.reload,
  };
}
