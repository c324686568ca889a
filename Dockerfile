# The server of Proofboard: web server, worker and runner. Build it in a clone: the image records the commit.
#   docker build --tag proofboard . && docker run --publish 3000:3000 --volume proofboard:/data proofboard
FROM node:24.21.0-bookworm AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run pack -- --server /app

FROM node:24.21.0-bookworm-slim
# tini ends what a killed program leaves behind, git imports suites, bubblewrap isolates where the container may nest.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git procps tini \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=node --group=node --mode=0700 /data /secrets
WORKDIR /app
COPY --from=build /app ./
ENV NODE_ENV=production
ENV PORT=3000
ENV HOST=0.0.0.0
ENV PROOFBOARD_DATA_DIR=/data
# Where the container may not nest, solutions are graded without a sandbox, and their entries are not ranked.
ENV PROOFBOARD_VERIFIER_SANDBOX=optional
# `docker exec <container> proofboard server accounts setup-link`
RUN printf '#!/bin/sh\nexec node /app/runner/cli/proofboard.mjs "$@"\n' > /usr/local/bin/proofboard \
  && chmod 0755 /usr/local/bin/proofboard
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/v1/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "lib/setup/start.mjs"]
