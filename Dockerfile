ARG NODE=24.21.0-bookworm-slim

# The bundler needs SWC's binary, an optional dependency that the final image omits.
FROM node:${NODE} AS bundle
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY src src
COPY workflows workflows
RUN node -e "import('./src/platform/temporal/workflow-bundle.ts').then(async ({ workflowBundle }) => { await workflowBundle('.data'); await workflowBundle('.data', true) })"

# Skipping scripts keeps a second Node out of node_modules. Of the SDK's core, only this platform's build is kept; of the
# dependencies, neither source maps and TypeScript nor manuals: 145 MB that no process reads. Licences stay.
FROM node:${NODE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && find node_modules/@temporalio/core-bridge -name '*.rs' -delete \
  && find node_modules -type f \( -name '*.map' -o -name '*.[mc]ts' -o -name '*.ts' \
    -o -name '*.md' ! -iname '*licen[cs]e*' ! -iname '*notice*' \) -delete

FROM node:${NODE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/app/.data
COPY --from=dependencies /app/node_modules node_modules
COPY . .
COPY --from=bundle /app/.data .data
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/api.ts"]
# docker compose build --build-arg REVISION=$(git rev-parse HEAD)
ARG REVISION
LABEL org.opencontainers.image.title="venue-network" \
  org.opencontainers.image.description="An open network where AI agents find venues and book them" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.revision="${REVISION}"
