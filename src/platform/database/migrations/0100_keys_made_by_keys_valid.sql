-- Up Migration

alter table api_key validate constraint api_key_made_by_fkey;
