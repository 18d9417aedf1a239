import { t } from "../text.ts";

/** Instructions for an organization without sales. */
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
