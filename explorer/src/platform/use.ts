import { useEffect, useRef, useState } from "preact/hooks";
import { Failure, generation } from "../api.ts";
import { lang } from "../text.ts";
import { type Read, read } from "./request.ts";

/** What a part of the settings shows of a resource. While it is read again, what was there stays. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly tag: string;
  readonly failure: Failure | undefined;
  /** Reads it again, such as after a change. */
  readonly reload: () => Promise<void>;
}

/** Reads a resource, and again when its address changes. `undefined`: nothing is asked yet. */
export function useResource<T>(path: string | undefined): Resource<T> {
  const [found, setFound] = useState<{ path: string; read?: Read<T>; failure?: Failure } | undefined>();
  const latest = useRef(0);
  const reload = async (): Promise<void> => {
    if (path === undefined) return;
    const attempt = ++latest.current;
    const result = await read<T>(path).then(
      (done) => ({ path, read: done }),
      (error: unknown) => ({ path, failure: failureOf(error) }),
    );
    if (attempt === latest.current) setFound(result);
  };
  useEffect(() => {
    void reload();
    return () => {
      latest.current++;
    };
    // Texts of an answer are in the language in which it was asked for.
  }, [path, generation.value, lang.value]);
  const known = found?.path === path ? found : undefined;
  return { data: known?.read?.data, tag: known?.read?.tag ?? "", failure: known?.failure, reload };
}

const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure("unforeseen", String(error));

export interface Change {
  readonly isRunning: boolean;
  readonly failure: Failure | undefined;
  /** Makes a change; false if it was refused, and `failure` says why. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly forget: () => void;
}

/** A change and what became of it. */
export function useChange(): Change {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure | undefined>();
  return {
    isRunning,
    failure,
    forget: () => setFailure(undefined),
    async run(work) {
      setRunning(true);
      setFailure(undefined);
      try {
        await work();
        return true;
      } catch (error) {
        setFailure(failureOf(error));
        return false;
      } finally {
        setRunning(false);
      }
    },
  };
}
