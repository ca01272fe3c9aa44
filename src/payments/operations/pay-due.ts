import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import type { Db } from '../../platform/database/sql.ts'
import { payment, shownPayment } from '../schema.ts'
import { pay, paymentRequestOf } from '../steps/pay.ts'
import { paymentRefusal } from '../steps/required.ts'
import { openSetup } from '../steps/set-up.ts'
import { selectUnpaid } from '../store/dues.ts'
import type { PaymentContext } from './payments-of.ts'
import { paymentsOf } from './payments-of.ts'

export const payDue = defineOperation({
  name: 'pay',
  summary: 'Pay something that is due',
  description:
    'Charges the card on file. Without one, or when it is declined, the answer is ' +
    '`payment_required` with a page where your user pays. Nothing is charged twice: while a ' +
    'payment is under way, the answer is `payment_pending`.',
  scope: 'keys',
  part: 'plan',
  changes: true,
  input: z.strictObject({
    due_id: z.uuid().toLowerCase().describe('An `id` in `due` of `GET /api/payments`'),
  }),
  output: z.object({ payment }),
  errors: ['due_not_found', 'payment_required', 'payment_pending', 'payments_off'],
  async run(ctx: PaymentContext, { due_id }) {
    const payments = paymentsOf(ctx)
    const account = accountOf(ctx)
    const due = (await selectUnpaid(ctx.db, account.id)).find(({ id }) => id === due_id)
    if (!due) throw refuse('due_not_found')
    const attempt = await pay(payments, paymentRequestOf(account, due), ctx.at)
    if (!attempt) throw refuse('due_not_found')
    if (attempt.state !== 'succeeded') throw paymentRefusal(attempt)
    return { payment: shownPayment(ctx, attempt) }
  },
})

export const changeCard = defineOperation({
  name: 'change card',
  summary: 'Open a page on which your user adds a card',
  description:
    'Returns the address of a page of the payment provider. The card entered there is charged ' +
    'from then on for what is due. The network never sees its number.',
  scope: 'keys',
  part: 'plan',
  audit: 'card.page_opened',
  input: z.strictObject({}),
  output: z.object({ card_page_url: z.url().describe('Give it to your user') }),
  errors: ['payments_off'],
  async run(ctx: PaymentContext) {
    const payments = paymentsOf(ctx)
    const record = (tx: Db) => recordAudit(tx, ctx, 'card.page_opened')
    return { card_page_url: await openSetup(payments, accountOf(ctx), ctx.at, record) }
  },
})
