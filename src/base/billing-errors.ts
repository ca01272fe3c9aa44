import { refusals } from './error-spec.ts'

/** What an account pays to the network. */
export const billingErrors = {
  ...refusals(402, {
    payment_required:
      'A payment is required. If the answer has `accepts`, let your x402 client pay one of them, ' +
      'or send a key of an account on the pro tier. If it has `pay_url`, give that to your user, ' +
      'who pays there. Then repeat the request.',
  }),
  ...refusals(404, {
    payment_not_found:
      'No such payment in this account. Use a payment `id` from `GET /api/payments`.',
    due_not_found:
      'Nothing with this id is due. `due` of `GET /api/payments` has what the account can pay.',
  }),
  ...refusals(409, {
    payment_pending:
      'A payment is being processed. Do not pay again: read `GET /api/payments/{payment_id}` ' +
      'until it is decided, then repeat the request.',
    payments_off:
      'This network collects no payments. Nothing has to be paid here: `GET /api/plan` has your ' +
      'plan.',
  }),
}
