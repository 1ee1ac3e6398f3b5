# One image for both parts: `billet api` (the default) and `billet worker`. Redis is an image of its own.
#
# A release is built from a digest, so that everybody gets the same base: docs/operations.md says how.
ARG BASE=python:3.12-slim
ARG NODE=node:22-slim

# The modules of the pages, joined into a few small files.
FROM ${NODE} AS pages
COPY web /web
RUN cd /web && npm ci --ignore-scripts --no-audit --no-fund && npm run join && rm -rf node_modules

FROM ${BASE} AS build
RUN python -m venv /venv
WORKDIR /src
# The dependencies alone first: they change rarely, and their layer is kept. Each file is held against its hash.
COPY locks locks
# What an installation may want besides: `--build-arg EXTRAS=s3` for an archive in a bucket.
ARG EXTRAS=
RUN /venv/bin/pip install --no-cache-dir --require-hashes -r locks/image.txt ${EXTRAS:+-r locks/image-$EXTRAS.txt}
COPY pyproject.toml setup.py README.md CHANGELOG.md CONTRIBUTING.md LICENSE ./
COPY docs docs
COPY engine engine
COPY games games
COPY service service
COPY api api
COPY workers workers
COPY billet billet
COPY billet_env billet_env
COPY --from=pages /web web
RUN /venv/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM ${BASE}
LABEL org.opencontainers.image.title="Billet" org.opencontainers.image.version="0.1.0"
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin billet
COPY --from=build /venv /venv
RUN install --directory --owner=10001 /archive
ENV PATH="/venv/bin:$PATH" PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOST=0.0.0.0 PORT=8000
USER billet
WORKDIR /tmp
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["billet", "health", "api"]
CMD ["billet", "api"]
