#!/bin/sh
# Brings Temporal's two existing databases to this tool version's schema; repeating it changes nothing.
# Environment: SQL_HOST, SQL_PORT, SQL_USER, SQL_PASSWORD, and SQL_TOOL if the tool is not on the PATH.
set -eu
export SQL_PLUGIN=postgres12

prepare() {
  "${SQL_TOOL:-temporal-sql-tool}" --database "$1" setup-schema --version 0.0 &&
    "${SQL_TOOL:-temporal-sql-tool}" --database "$1" update-schema --schema-name "postgresql/v12/$2"
}

attempt=1
until prepare temporal temporal && prepare temporal_visibility visibility; do
  if [ "$attempt" -ge 30 ]; then
    echo "PostgreSQL at $SQL_HOST:$SQL_PORT could not be prepared in 30 attempts" >&2
    exit 1
  fi
  attempt=$((attempt + 1))
  sleep 2
done
