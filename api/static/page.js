"use strict";

// Paths are relative, so that the page also works below a prefix of a reverse proxy.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#document",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  displayOperationId: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  tryItOutEnabled: true,
});
