-- Up Migration

-- For the refunds that are due, of which there are few.
alter table x402_payment validate constraint x402_payment_deposit;
alter table x402_payment validate constraint x402_payment_deposit_refund;
alter table x402_payment validate constraint x402_payment_refund;
create index x402_deposit_due on x402_payment (id) where deposit_refund = 'due';
