-- Up Migration

-- Guest details that come with a confirmation belong to the booking only if it is this command that confirms it. They wait here
-- until the command has run, and are erased with its answer.
alter table command add column guest jsonb,
  add constraint command_guest_erased check (guest is null or (answer is null and begun_at is null)) not valid;
