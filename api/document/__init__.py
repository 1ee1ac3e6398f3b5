"""Builds the OpenAPI document from operations and schemas."""
