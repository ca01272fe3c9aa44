import { refusals } from './error-spec.ts'

/** Payments by x402. */
export const paymentErrors = {
  ...refusals(400, {
    payment_malformed:
      'The payment cannot be read. Send an x402 payment for one of the `accepts` of the ' +
      'refusal that asked for it: at REST its base64 in `PAYMENT-SIGNATURE`, at MCP and A2A the ' +
      'JSON object itself.',
  }),
  ...refusals(402, {
    payment_rejected:
      'The payment was not accepted. Nothing was charged. Pay what this answer asks for and ' +
      'repeat the request.',
  }),
  ...refusals(403, {
    payment_unavailable:
      'This cannot be paid by x402: there is no rate for the currency of the venue. Send a key ' +
      'of an account on the pro tier.',
  }),
  ...refusals(409, {
    payment_undecided:
      'Nobody could tell in time whether the payment has moved, so nothing was booked. If it ' +
      'moved, it goes back to the wallet that paid. Send the request without a payment to get a ' +
      'new quote.',
    payment_reused:
      'This payment was used for another request. Repeat that request unchanged to get its ' +
      'answer, or send this one without a payment to get a new quote.',
  }),
}
