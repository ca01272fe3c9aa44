#!/bin/sh
# Brings Temporal's two databases, which exist, to the schema of this version of the tool; again changes nothing.
# Environment: SQL_HOST, SQL_PORT, SQL_USER, SQL_PASSWORD, and SQL_TOOL where it is not on PATH.
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
