-- Up Migration

-- What of a payment is the deposit of its booking: `deposit_minor` of `price_minor`, and
-- `deposit_amount` of `amount`. Such a deposit goes back by itself where the fee stays; where the
-- fee goes back as well, the whole payment does. So a payment is sent back at most once.
alter table x402_payment
  add column deposit_minor bigint not null default 0,
  add column deposit_amount bigint not null default 0,
  add column deposit_refund text not null default 'none',
  add constraint x402_payment_deposit check (
    deposit_minor between 0 and price_minor and deposit_amount >= 0 and deposit_amount < amount
    and (deposit_minor > 0) = (deposit_amount > 0)) not valid,
  add constraint x402_payment_deposit_refund check (
    deposit_refund = 'none'
    or (deposit_refund in ('due', 'sent') and state = 'settled' and deposit_minor > 0)) not valid,
  drop constraint x402_payment_refund,
  add constraint x402_payment_refund check (
    (state = 'refunded' or deposit_refund = 'sent') = (refund_transaction is not null)) not valid;

create function check_x402_deposit_move() returns trigger language plpgsql as $$
begin
  if (old.deposit_refund, new.deposit_refund) in (('none', 'due'), ('due', 'sent')) then
    return new;
  end if;
  raise exception 'the deposit of a payment cannot move from % to %',
    old.deposit_refund, new.deposit_refund using errcode = 'check_violation';
end
$$;
create trigger deposit_forward before update of deposit_refund on x402_payment
  for each row when (new.deposit_refund <> old.deposit_refund)
  execute function check_x402_deposit_move();

-- In the ledger as the refund of a whole payment is: credit when it is due, cash when it has gone.
create function post_x402_deposit() returns trigger language plpgsql as $$
begin
  if new.deposit_refund = 'due' then
    perform post_x402(
      new, 'refunded', 'x402', new.currency, 'credit', 'exchange', new.deposit_minor);
  else
    perform post_x402(
      new, 'refunded', 'x402_cash', 'XUC', 'exchange', 'cash', new.deposit_amount);
  end if;
  return null;
end
$$;
create trigger deposit_in_ledger after update of deposit_refund on x402_payment
  for each row when (new.deposit_refund <> old.deposit_refund)
  execute function post_x402_deposit();
