-- Up Migration

-- An operator has suspended the account: its keys are refused and its dashboard is read-only. The
-- reason is shown to its members.
alter table account
  add column suspended_at timestamptz,
  add column suspended_reason text;
alter table account add constraint account_suspension check (
  (suspended_at is null) = (suspended_reason is null)
  and length(suspended_reason) between 1 and 500) not valid;
