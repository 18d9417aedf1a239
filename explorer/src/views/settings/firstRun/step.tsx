import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { said } from "../../../text.ts";
import { firstRun as FIRST_RUN } from "../../../words/later/firstRun.ts";

export const STEPS = ["source", "bring", "costs", "figure"] as const;
type Step = (typeof STEPS)[number];

/** The costs that somebody has just said: figures without them are those of before. */
export const expected = signal<readonly ("salesTax" | "payment" | "shipping")[]>([]);

/** Where somebody is: it stays while other pages of the Explorer are looked at. */
export const step = signal<Step>("source");

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A step under its heading, which receives the focus. */
export function StepCard({ title, children }: CardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const at = STEPS.indexOf(step.value) + 1;
  return (
    <section class="card-box settings-panel">
      <header>
        <p class="note">{said(FIRST_RUN).step(String(at), String(STEPS.length))}</p>
        <h3 ref={heading} tabIndex={-1}>
          {title}
        </h3>
      </header>
      {children}
    </section>
  );
}
