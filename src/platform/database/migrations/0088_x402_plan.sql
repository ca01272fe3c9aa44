-- Up Migration

-- A payment by x402 for what an account owes is a row of both tables, with one id.
alter table payment add column x402_id uuid
  generated always as (case provider when 'x402' then id end) stored
  references x402_payment deferrable initially deferred;

-- The two move together, in one transaction: no money is taken for nothing, and nothing is paid
-- without money.
create function check_x402_payment() returns trigger language plpgsql as $$
begin
  if exists (
    select from x402_payment x
    left join payment p on p.id = x.id and p.provider = 'x402'
    where x.id = new.id and x.booking_id is null and (
      (x.state = 'settled' and p.state is distinct from 'succeeded')
      or (x.state = 'failed' and p.state is distinct from 'failed')
      or (x.transaction is null and p.state = 'succeeded')))
  then
    raise exception 'the payment % and its x402 payment do not agree', new.id
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger x402_agrees after insert or update on payment
  deferrable initially deferred for each row when (new.provider = 'x402')
  execute function check_x402_payment();
create constraint trigger payment_agrees after update on x402_payment
  deferrable initially deferred for each row when (new.booking_id is null)
  execute function check_x402_payment();

-- A refund of it goes back to its wallet, whole, and is over with the proof of that.
create function return_x402_payment() returns trigger language plpgsql as $$
begin
  update x402_payment x set state = 'refund_due', refund_reason = new.note,
    updated_at = new.created_at
  from payment p
  where p.id = new.payment_id and p.x402_id = x.id and x.state = 'settled'
    and p.amount_minor = new.amount_minor;
  if not found and exists (select from payment where id = new.payment_id and provider = 'x402') then
    raise exception 'payment % by x402 is given back once and whole', new.payment_id
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger returned_by_x402 after insert on refund
  for each row execute function return_x402_payment();

create function end_x402_refund() returns trigger language plpgsql as $$
begin
  update refund set state = 'succeeded', provider_id = new.refund_transaction,
    updated_at = new.updated_at
  where payment_id = new.id and state <> 'succeeded';
  return null;
end
$$;
create trigger refund_sent after update of state on x402_payment
  for each row when (new.state = 'refunded' and new.booking_id is null)
  execute function end_x402_refund();
