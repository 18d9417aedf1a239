import { t } from "../text.ts";

/** A missing figure. Hover and focus show the reason, and screen readers announce it. */
export function NotAvailable({ reason }: { reason?: string | undefined }) {
  if (!reason) return <span class="nd">{t().notAvailable}</span>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focus shows the reason
    <span class="nd has-reason" tabIndex={0} data-reason={reason}>
      {t().notAvailable}
      <span class="unseen">: {reason}</span>
    </span>
  );
}
