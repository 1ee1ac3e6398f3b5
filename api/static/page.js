"use strict";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const followSystem = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followSystem);
followSystem();

// Paths are relative, so that the page also works below a prefix of a reverse proxy.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#document",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  displayOperationId: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
});
