-- Up Migration

-- A payment by x402 is for the fee of one booking, and for nothing else. What an account owes is
-- paid by card, and deposits are between the guest and the venue.
drop trigger x402_agrees on payment;
drop trigger payment_agrees on x402_payment;
drop trigger returned_by_x402 on refund;
drop trigger refund_sent on x402_payment;
drop trigger deposit_forward on x402_payment;
drop trigger deposit_in_ledger on x402_payment;
drop function check_x402_payment, return_x402_payment, end_x402_refund, check_x402_deposit_move,
  post_x402_deposit;
alter table payment drop column x402_id;
delete from x402_payment where booking_id is null;
-- The index of deposits that are due back, and their constraints, go with their columns.
alter table x402_payment
  drop column deposit_minor, drop column deposit_amount, drop column deposit_refund,
  alter column booking_id set not null,
  add constraint x402_payment_refund check (
    (state = 'refunded') = (refund_transaction is not null)) not valid,
  -- A node is asked about the last 15 minutes before it (x402/look-up-on-chain.ts).
  add constraint x402_payment_bounded check (
    valid_before > created_at and valid_before <= created_at + interval '15 minutes') not valid;
