import type { Balances, Fees } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { moreOf } from '../screen/more.ts'
import type { Screen } from '../screen/screen.ts'
import { table } from '../screen/table.ts'
import { instant } from '../screen/times.ts'
import { monthly } from './monthly-options.ts'

export const listFees = defineCommand({
  words: 'fees',
  summary: 'List the fees of your bookings, newest first, with the totals.',
  details: 'A reversal gives a fee back. Fees of demo venues are never invoiced.',
  options: monthly,
  examples: ['fees', 'fees --month 2026-11', 'fees --currency IDR --json'],
  async run({ options, network }) {
    const { body } = await (await network()).ask<Fees>({ path: '/api/fees', query: options })
    return { answer: body, text: (screen) => show(screen, body) }
  },
})

function show(screen: Screen, { entries, totals, next_cursor }: Fees): string {
  if (entries.length === 0) return 'No fees match.'
  const rows = table(
    screen,
    [
      { head: 'BOOKING', cell: ({ booking_id }) => booking_id, whole: true },
      { head: 'KIND', cell: ({ kind }) => kind, whole: true },
      { head: 'FEE', cell: ({ text }) => text, align: 'right', whole: true },
      { head: 'OF', cell: ({ pct, base_text }) => `${pct} % of ${base_text}`, dispensable: 1 },
      { head: 'DEMO', cell: ({ is_demo }) => (is_demo ? 'demo' : ''), whole: true },
      { head: 'WHEN', cell: (fee) => instant(fee.created_at, screen.zone), dispensable: 2 },
    ],
    entries,
  )
  const sums = table(
    screen,
    [
      { head: 'MONTH', cell: ({ month, is_demo }) => (is_demo ? `${month} demo` : month) },
      { head: 'ACCRUED', cell: ({ accrued_text }) => accrued_text, align: 'right', whole: true },
      { head: 'REVERSED', cell: ({ reversed_text }) => reversed_text, align: 'right', whole: true },
      { head: 'TOTAL', cell: ({ total_text }) => total_text, align: 'right', whole: true },
    ],
    totals,
  )
  return [rows, ...moreOf(screen, next_cursor), '', sums].join('\n')
}

export const showBalance = defineCommand({
  words: 'balance',
  summary: 'Show what you owe, and your credit, by currency.',
  examples: ['balance', 'balance --json'],
  async run({ network }) {
    const { body } = await (await network()).ask<Balances>({ path: '/api/balance' })
    return { answer: body, text: (screen) => balances(screen, body) }
  },
})

const balances = (screen: Screen, { balances }: Balances) =>
  balances.length === 0
    ? 'Nothing has been charged yet.'
    : table(
        screen,
        [
          { head: 'CURRENCY', cell: ({ currency }) => currency, whole: true },
          { head: 'NOT INVOICED', cell: ({ unbilled_text }) => unbilled_text, align: 'right' },
          { head: 'TO PAY', cell: ({ due_text }) => due_text, align: 'right', whole: true },
          { head: 'CREDIT', cell: ({ credit_text }) => credit_text, align: 'right', whole: true },
        ],
        balances,
      )
