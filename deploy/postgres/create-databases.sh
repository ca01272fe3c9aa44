#!/bin/sh
# Runs once, on an empty volume: one role for Temporal's two databases and one for the network's, neither of them a superuser.
set -eu

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set temporal_password="$TEMPORAL_DATABASE_PASSWORD" --set network_password="$NETWORK_DATABASE_PASSWORD" <<'SQL'
create role temporal login password :'temporal_password';
create database temporal owner temporal;
create database temporal_visibility owner temporal;
create role venue_network login password :'network_password';
create database venue_network owner venue_network;
SQL
