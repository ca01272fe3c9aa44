-- Up Migration
alter table booking validate constraint booking_cancelled_by_check;
alter table timeline_entry validate constraint timeline_entry_by_check;
alter table command validate constraint command_kind_check;
