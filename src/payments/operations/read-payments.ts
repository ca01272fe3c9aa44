import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { idInCursor, pageOf } from '../../contract/cursor.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor, pageInput } from '../../contract/public.ts'
import { isInFlight } from '../rules/payments.ts'
import { due, payment, shownDue, shownPayment } from '../schema.ts'
import { ask } from '../steps/ask.ts'
import { readBookingPayment } from '../steps/booking-payment.ts'
import { hasCard } from '../steps/set-up.ts'
import { selectUnpaid } from '../store/dues.ts'
import { selectPayment, selectPayments } from '../store/payments.ts'
import type { PaymentContext } from './payments-of.ts'
import { optionalPaymentsOf } from './payments-of.ts'

export const listPayments = defineOperation({
  name: 'payments',
  summary: 'List what your account has to pay, and its payments',
  description:
    'Returns the amounts due, oldest first, whether a card is on file, and the payments of the ' +
    'account, newest first. Amounts due are charged to the card on file automatically; to pay ' +
    'earlier, or after a failed charge, use `POST /api/payments`.',
  scope: 'usage',
  part: 'plan',
  input: z.strictObject({
    ...pageInput,
  }),
  output: z.object({
    collects: z.boolean().describe('false: this network collects no payments'),
    has_card: z.boolean().describe('Whether a card is on file for later charges'),
    card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
    pays: z
      .enum(['plan', 'card', 'nothing'])
      .describe('What pays for bookings: `card` is charged the fee of each as it is made'),
    due: z.array(due),
    payments: z.array(payment).describe('Newest first'),
    next_cursor: nextCursor,
  }),
  errors: ['invalid_cursor'],
  async run(ctx: PaymentContext, { limit, cursor }) {
    const { id } = accountOf(ctx)
    const { db, at } = ctx
    const payments = optionalPaymentsOf(ctx)
    const rows = await selectPayments(db, id, { before: idInCursor(cursor), limit: limit + 1 })
    const page = pageOf(rows, limit, (last) => last.id)
    const has_card = payments !== undefined && (await hasCard(payments, id, at).catch(() => false))
    const { by, card } = await readBookingPayment(db, id, ctx.settings.feePct)
    return {
      collects: payments !== undefined,
      has_card,
      card,
      pays: by,
      due: payments ? (await selectUnpaid(db, id)).map(shownDue) : [],
      payments: page.rows.map((row) => shownPayment(ctx, row)),
      next_cursor: page.next_cursor,
    }
  },
})

export const getPayment = defineOperation({
  name: 'payment',
  summary: 'Read a payment',
  description:
    'Returns a payment of the account. If it is undecided, the payment provider is asked ' +
    'first, so poll this after your user has paid.',
  scope: 'usage',
  part: 'plan',
  input: z.strictObject({ id: z.uuid().toLowerCase() }),
  output: z.object({ payment }),
  errors: ['payment_not_found'],
  async run(ctx: PaymentContext, { id }) {
    const row = await selectPayment(ctx.db, id)
    if (row?.account_id !== accountOf(ctx).id) throw refuse('payment_not_found')
    const { at } = ctx
    const payments = optionalPaymentsOf(ctx)
    const isAsked = payments && isInFlight(row)
    return { payment: shownPayment(ctx, isAsked ? await ask(payments, row, at) : row) }
  },
})
