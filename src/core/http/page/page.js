// The reference page: Swagger UI over /openapi.json, with one form for what every request sends.

/* global SwaggerUIBundle */

const form = document.getElementById("credentials");
const spec = await (await fetch("/openapi.json")).json();

/** The document with the organization as the value that every request begins with. */
function withOrganization(organizationId) {
  for (const { get } of Object.values(spec.paths)) {
    for (const parameter of get.parameters) {
      if (parameter.name === "organizationId" && organizationId) parameter.example = organizationId;
    }
  }
  return structuredClone(spec);
}

const ui = SwaggerUIBundle({
  spec: withOrganization(""),
  domNode: document.getElementById("reference"),
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});

form.addEventListener("change", ({ target: { name, value } }) => {
  if (name === "organizationId") ui.specActions.updateJsonSpec(withOrganization(value.trim()));
  else if (value) ui.preauthorizeApiKey(name, value.trim());
  else ui.authActions.logout([name]);
});
form.addEventListener("submit", (event) => event.preventDefault());
