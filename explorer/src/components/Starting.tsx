import { t } from "../text.ts";

/** What a page will look like, while nothing of it is known: as `index.html` has it, so that nothing moves. */
export const Skeletons = () => (
  <>
    <p class="skeleton skeleton-name" role="status">
      <span class="unseen">{t().frame.loading}</span>
    </p>
    <p class="skeleton skeleton-small" />
    <p class="skeleton skeleton-medium" />
    <p class="skeleton skeleton-medium" />
  </>
);

/** The place of the toolbar. */
export const StartingBar = () => <div class="toolbar toolbar-starting" />;
