import type { Failure } from "../../api.ts";
import { Icon } from "../../components/Icon.tsx";
import { t } from "../../text.ts";

/** A refused change, in the words of the service, which are in the page's language. */
export function Failed({ failure, retry }: { failure: Failure; retry?: (() => void) | undefined }) {
  const words = t().failure;
  const { kind, message, details } = failure;
  const more = details.filter((detail) => detail.message !== message);
  return (
    <div class="setting-failed" role="alert" data-failed={kind}>
      <Icon name="alert" />
      <div>
        <p>{message || words[kind]}</p>
        {more.length > 0 && (
          <ul>
            {more.map((detail) => (
              <li key={`${detail.parameter} ${detail.message}`}>{detail.message}</li>
            ))}
          </ul>
        )}
      </div>
      {retry && (
        <button type="button" onClick={retry}>
          {words.retry}
        </button>
      )}
    </div>
  );
}
