-- Up Migration

-- An operator gives all that belongs to an incident its number: one id for a pause and for its end.
alter table endpoint_command drop constraint endpoint_command_pkey,
  add primary key (endpoint_id, id, name);
