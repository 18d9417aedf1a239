import { t } from "../text.ts";

/** Nothing has been sold yet, as far as the service knows: what to do about it. */
export function Empty() {
  const { title, lead, steps } = t().empty;
  return (
    <section class="nothing" aria-labelledby="nothing-title">
      <h2 id="nothing-title">{title}</h2>
      <p>{lead}</p>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
