import type { Due, Payment, Payments } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { Refused } from '../network/failures.ts'
import { facts } from '../screen/facts.ts'
import { moreOf } from '../screen/more.ts'
import type { Tone } from '../screen/paint.ts'
import type { Screen } from '../screen/screen.ts'
import { table } from '../screen/table.ts'
import { instant } from '../screen/times.ts'

const PATH = '/api/payments'

export const listPayments = defineCommand({
  words: 'payments list',
  summary: 'List what is due and your payments, newest first.',
  options: {
    limit: { kind: 'number', value: 'N', about: 'Payments per page, at most 100' },
    cursor: {
      kind: 'text',
      value: 'CURSOR',
      about: 'Cursor of the next page, from the page before',
    },
  },
  examples: ['payments list', 'payments list --json'],
  async run({ options, network }) {
    const { body } = await (await network()).ask<Payments>({ path: PATH, query: options })
    return { answer: body, text: (screen) => list(screen, body) }
  },
})

function list(screen: Screen, { collects, has_card, due, payments, next_cursor }: Payments) {
  if (!collects) return 'This network collects no payments.'
  return [
    has_card ? 'A card is on file.' : `No card is on file: ${screen.program} payments card`,
    ...(due.length > 0 ? ['', dues(screen, due), '', payHint(screen, due)] : ['Nothing is due.']),
    ...(payments.length > 0 ? ['', paid(screen, payments)] : []),
    ...moreOf(screen, next_cursor),
  ].join('\n')
}

const payHint = ({ program }: Screen, [first]: readonly Due[]) =>
  `Pay: ${program} payments pay ${first?.id}`

const whatOf = ({ purpose, number, month }: Due) =>
  purpose === 'pro' ? `pro for ${month}` : `invoice ${number} of ${month}`

const dues = (screen: Screen, due: readonly Due[]) =>
  table(
    screen,
    [
      { head: 'DUE', cell: ({ id }) => id, whole: true },
      { head: 'FOR', cell: whatOf, least: 12 },
      { head: 'AMOUNT', cell: ({ text }) => text, align: 'right', whole: true },
    ],
    due,
  )

const tones: Partial<Record<Payment['state'], Tone>> = { succeeded: 'good', failed: 'bad' }
const toneOf = ({ state }: Payment): Tone => tones[state] ?? 'wait'

const paid = (screen: Screen, payments: readonly Payment[]) =>
  table(
    screen,
    [
      { head: 'PAYMENT', cell: ({ id }) => id, whole: true },
      { head: 'STATE', cell: ({ state }) => state, tone: toneOf, whole: true },
      { head: 'AMOUNT', cell: ({ text }) => text, align: 'right', whole: true },
      { head: 'WHY', cell: ({ reason_text }) => reason_text ?? '', dispensable: 1 },
      { head: 'WHEN', cell: (one) => instant(one.created_at, screen.zone), dispensable: 2 },
    ],
    payments,
  )

export const payDue = defineCommand({
  words: 'payments pay',
  summary: 'Pay something that is due, with the card on file.',
  details: 'Without a card, or when it is declined, it prints the page where you can pay.',
  args: { due: { about: 'id of what is due, from payments list' } },
  examples: ['payments pay 01a200f6-3ac1-7880-8750-353be6363e4a'],
  async run({ args, network }) {
    const ask = { method: 'POST' as const, path: PATH, body: { due_id: args.due } }
    const answer = (await network()).ask<{ payment: Payment }>(ask)
    const { body } = await answer.catch(withPayPage)
    return { answer: body, text: (screen) => show(screen, body.payment) }
  },
})

function withPayPage(error: unknown): never {
  if (!(error instanceof Refused)) throw error
  const { pay_url } = error.problem as { pay_url?: unknown }
  throw typeof pay_url === 'string' ? new Refused(error.problem, `  Pay at ${pay_url}`) : error
}

const show = (screen: Screen, payment: Payment) =>
  facts(screen, [
    ['payment', payment.id],
    ['state', payment.state, toneOf(payment)],
    ['amount', payment.text],
    ['why', payment.reason_text],
  ])

export const leaveCard = defineCommand({
  words: 'payments card',
  summary: 'Print the page where you add or change the card.',
  examples: ['payments card'],
  async run({ network }) {
    const ask = { method: 'POST' as const, path: `${PATH}/card`, body: {} }
    const { body } = await (await network()).ask<{ card_page_url: string }>(ask)
    return { answer: body, text: () => body.card_page_url }
  },
})
