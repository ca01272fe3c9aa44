-- Up Migration

-- Where a key may be used from; empty: anywhere.
alter table api_key add column allowed_ips cidr[] not null default '{}',
  add constraint api_key_allowed_ips_check check (cardinality(allowed_ips) <= 50) not valid;
