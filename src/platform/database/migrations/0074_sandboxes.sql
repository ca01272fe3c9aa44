-- Up Migration

-- A sandbox is an account of its own, so that everything that belongs to an account is separate. It
-- belongs to a live account, whose members use it: one default sandbox each, and one per test clock.
alter table account
  add column mode text not null default 'live',
  add column live_account_id uuid,
  add column sandbox_kind text;
alter table account add constraint account_mode check (
  (mode = 'live' and live_account_id is null and sandbox_kind is null)
  or (mode = 'test' and live_account_id is not null and live_account_id <> id
    and sandbox_kind in ('default', 'clock'))) not valid;
alter table account add constraint account_sandbox_of
  foreign key (live_account_id) references account (id) not valid;
create unique index account_default_sandbox on account (live_account_id)
  where sandbox_kind = 'default';
create index account_sandboxes on account (live_account_id, id) where live_account_id is not null;

-- Venues for sandboxes only: no live account sees them, and no sandbox sees another venue.
alter table venue add column is_test boolean not null default false;

-- Whether a developer looks at the live account or at its sandbox.
alter table developer_session add column mode text not null default 'live';
alter table developer_session add constraint developer_session_mode
  check (mode in ('live', 'test')) not valid;

-- The operations keep test and live apart; this is what a mistake in them would run into.
create function keep_test_apart() returns trigger language plpgsql as $$
begin
  if (select mode = 'test' from account where id = new.account_id)
    is distinct from (select is_test from venue where id = new.venue_id)
  then raise exception 'test and live never meet: account %, venue %', new.account_id, new.venue_id;
  end if;
  return new;
end
$$;
create trigger booking_test_apart before insert on booking
  for each row execute function keep_test_apart();
