"""The OpenAPI document: builds it from operations and schemas, and serves the pages that show it."""
