import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure, NETWORK_RETRY_MS } from "./api.ts";
import { Problem } from "./components/Problem.tsx";
import { t } from "./text.ts";

/** A part of the page whose scripts are loaded when it is shown for the first time; `meanwhile` instead of a placeholder. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile?: ComponentChildren,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [failure, setFailure] = useState<Failure | undefined>();
    const fetchPart = (): void => {
      setFailure(undefined);
      load().then(
        (part) => {
          loaded = part;
          setPart(() => part);
        },
        () => setFailure(new Failure("network", "", { retryAt: Date.now() + NETWORK_RETRY_MS })),
      );
    };
    // Once: what is loaded stays.
    useEffect(() => {
      if (!loaded) fetchPart();
    }, []);
    if (Part) return <Part {...props} />;
    if (failure) return <Problem failure={failure} retry={fetchPart} />;
    if (meanwhile !== undefined) return <>{meanwhile}</>;
    return (
      <p class="skeleton skeleton-large">
        <span class="unseen">{t().frame.loading}</span>
      </p>
    );
  };
}

/** Adds the style sheet of a part, which the page has in an inert place. */
export function addStyle(part: string): void {
  const template = document.querySelector<HTMLTemplateElement>(`#${part}-style`);
  if (!template) return;
  document.head.append(template.content);
  template.remove();
}
