-- Up Migration
alter table ledger_entry validate constraint ledger_entry_kind_check,
  validate constraint ledger_entry_debit_check, validate constraint ledger_entry_credit_check;
alter table plan_change validate constraint plan_change_made_by_check;
alter table command validate constraint command_guest_erased;
alter table booking validate constraint booking_fee_status_check;
