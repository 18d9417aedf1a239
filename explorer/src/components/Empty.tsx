import { hasSpend, person } from "../session.ts";
import { t } from "../text.ts";

/** Instructions for an organization without sales; admins are led instead. */
export function Empty() {
  const { title, lead, leadOfAds, reader, steps } = t().empty;
  return (
    <section class="nothing" aria-labelledby="nothing-title">
      <h2 id="nothing-title">{title}</h2>
      <p>{hasSpend.value ? leadOfAds : lead}</p>
      {person.value ? (
        <p>{reader}</p>
      ) : (
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </section>
  );
}
