-- Up Migration

alter table x402_payment
  validate constraint x402_payment_refund,
  validate constraint x402_payment_bounded;
