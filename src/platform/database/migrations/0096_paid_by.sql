-- Up Migration

-- How the fee of a request is paid, as its account was when it was stored: `pro` by invoice, `test`
-- in a sandbox, and `x402` by a payment of its own. Set here, so that no code can say otherwise.
alter table request add column paid_by text not null default 'pro'
  check (paid_by in ('pro', 'x402', 'test'));
update request r set paid_by = 'test' from account a where a.id = r.account_id and a.mode = 'test';
update request r set paid_by = 'x402' from x402_payment p where p.booking_id = r.booking_id;
alter table request alter column paid_by drop default;

create function set_paid_by() returns trigger language plpgsql as $$
begin
  select case when a.mode = 'test' then 'test' when a.tier = 'pro' then 'pro' else 'x402' end
  into new.paid_by from account a where a.id = new.account_id;
  return new;
end
$$;
create trigger paid_by before insert on request for each row execute function set_paid_by();

-- No booking that is paid first reaches its venue, or is confirmed, before its payment is settled,
-- whatever the tier of its account is by then. Money that is on its way back pays for nothing.
create or replace function require_x402_settled() returns trigger language plpgsql as $$
begin
  if exists (
    select from request r left join x402_payment p on p.booking_id = r.booking_id
    where r.booking_id = new.id and (r.paid_by = 'x402' or p.id is not null)
      and p.state is distinct from 'settled')
  then
    raise exception 'the payment of booking % is not settled', new.id
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;

-- A booking that ends without its fee: what was paid is due back. What nobody can tell about has
-- failed, and is looked up once its authorisation has lapsed.
create or replace function end_x402_payment() returns trigger language plpgsql as $$
begin
  update x402_payment set state = 'refund_due', refund_reason = new.status,
    updated_at = new.updated_at
  where booking_id = new.id and state = 'settled';
  update x402_payment set state = 'failed', error = 'booking_' || new.status,
    updated_at = new.updated_at
  where booking_id = new.id and state in ('verified', 'settling', 'unknown');
  return null;
end
$$;
