import type { ComponentChildren } from "preact";

/** A part without content: one line, not a box of the size of what is missing. */
export const EmptySmall = ({ children }: { children: ComponentChildren }) => <p class="empty-small">{children}</p>;
