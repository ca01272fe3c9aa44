#!/bin/sh
# Runs once, on an empty volume: creates a role for Temporal's two databases and two roles for the network's, without superuser rights.
# venue_network_owner migrates; venue_network serves, and can change rows but not the schema.
set -eu

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set temporal_password="$TEMPORAL_DATABASE_PASSWORD" --set network_password="$NETWORK_DATABASE_PASSWORD" \
  --set owner_password="$NETWORK_OWNER_PASSWORD" <<'SQL'
create role temporal login password :'temporal_password';
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke all on database temporal from public;
revoke all on database temporal_visibility from public;
create role venue_network_owner login password :'owner_password';
create role venue_network login password :'network_password';
create database venue_network owner venue_network_owner;
revoke all on database venue_network from public;
grant connect on database venue_network to venue_network;
\connect venue_network
alter default privileges for role venue_network_owner
  grant select, insert, update, delete on tables to venue_network;
alter default privileges for role venue_network_owner
  grant usage on sequences to venue_network;
SQL
