-- Up Migration
alter table booking drop constraint booking_cancelled_by_check,
  add constraint booking_cancelled_by_check
    check (cancelled_by in ('guest', 'agent', 'venue', 'network', 'operator')) not valid;
alter table timeline_entry drop constraint timeline_entry_by_check,
  add constraint timeline_entry_by_check
    check (by in ('agent', 'guest', 'venue', 'network', 'operator')) not valid;
alter table command drop constraint command_kind_check,
  add constraint command_kind_check
    check (kind in ('confirm', 'extend', 'release', 'cancel', 'amend', 'accept_offer',
      'refuse_offer', 'wake')) not valid;
