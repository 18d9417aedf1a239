/** Name, language and currency of the organization. */
export const Organization = () => <p class="skeleton" />;
