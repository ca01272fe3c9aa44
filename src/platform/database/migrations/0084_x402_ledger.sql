-- Up Migration

-- Payments by x402 in the ledger, in the transaction that changes their state. What comes in is cash
-- in USDC (`XUC`, in millionths), exchanged for the account's credit in the currency of the price,
-- which pays the fee once its month closes. What goes back is the same the other way round: the
-- credit ends when the payment is due back, the cash when it has gone. Fees at demo venues are no
-- money, and neither are payments for them.
create function post_x402(
  payment x402_payment, kind text, source text, currency text, debit text, credit text,
  minor bigint
) returns void language sql as $$
  insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
    source_kind, source_id, at, note)
  select gen_random_uuid(), payment.account_id, currency, kind, debit, credit, minor, source,
    payment.id, payment.updated_at, payment.transaction
  where minor > 0 and not exists (
    select from request r join venue v on v.id = r.venue_id
    where r.booking_id = payment.booking_id and v.is_demo)
  on conflict on constraint ledger_entry_once do nothing
$$;

create function post_x402_move() returns trigger language plpgsql as $$
begin
  if old.transaction is null and new.transaction is not null then
    perform post_x402(new, 'paid', 'x402_cash', 'XUC', 'cash', 'exchange', new.amount);
  end if;
  if new.state = 'settled' then
    perform post_x402(new, 'paid', 'x402', new.currency, 'exchange', 'credit', new.price_minor);
  elsif new.state = 'refund_due' and old.state = 'settled' then
    perform post_x402(new, 'refunded', 'x402', new.currency, 'credit', 'exchange', new.price_minor);
  elsif new.state = 'refunded' then
    perform post_x402(new, 'refunded', 'x402_cash', 'XUC', 'exchange', 'cash', new.amount);
  end if;
  return null;
end
$$;
create trigger payment_in_ledger after update of state on x402_payment
  for each row when (new.state <> old.state)
  execute function post_x402_move();
