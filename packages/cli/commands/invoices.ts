import type { Invoice, Invoices, OneInvoice } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { facts } from '../screen/facts.ts'
import { moreOf } from '../screen/more.ts'
import type { Tone } from '../screen/paint.ts'
import type { Screen } from '../screen/screen.ts'
import { table } from '../screen/table.ts'
import { instant, localSlot } from '../screen/times.ts'
import { monthly } from './monthly-options.ts'

const PATH = '/api/invoices'

export const listInvoices = defineCommand({
  words: 'invoices list',
  summary: 'List your invoices and credit notes, newest first.',
  options: {
    status: {
      kind: 'text',
      value: 'STATUS',
      about: 'Only with this status',
      choices: ['open', 'paid', 'void'],
    },
    ...monthly,
  },
  examples: ['invoices list', 'invoices list --status open', 'invoices list --month 2026-11'],
  async run({ options, network }) {
    const { body } = await (await network()).ask<Invoices>({ path: PATH, query: options })
    return { answer: body, text: (screen) => list(screen, body) }
  },
})

const toneOf = ({ status }: Invoice): Tone | undefined =>
  (({ open: 'wait', paid: 'good', void: undefined }) as const)[status]

const list = (screen: Screen, { invoices, next_cursor }: Invoices) =>
  invoices.length === 0
    ? 'No invoices match. A month is invoiced when it is over (UTC).'
    : [rows(screen, invoices), ...moreOf(screen, next_cursor)].join('\n')

const rows = (screen: Screen, invoices: readonly Invoice[]) =>
  table(
    screen,
    [
      { head: 'INVOICE', cell: ({ id }) => id, whole: true },
      { head: 'NUMBER', cell: ({ number }) => number, whole: true, dispensable: 2 },
      { head: 'MONTH', cell: ({ month }) => month, whole: true },
      { head: 'TOTAL', cell: ({ total_text }) => total_text, align: 'right', whole: true },
      { head: 'TO PAY', cell: ({ due_text }) => due_text, align: 'right', dispensable: 1 },
      { head: 'STATUS', cell: ({ status }) => status, tone: toneOf, whole: true },
    ],
    invoices,
  )

export const showInvoice = defineCommand({
  words: 'invoices show',
  summary: 'Show an invoice with its lines.',
  args: { invoice: { about: 'id of an invoice, from invoices list' } },
  examples: ['invoices show 01a200f6-3ac1-7880-8750-353be6363e4a'],
  async run({ args, network }) {
    const { ask, url } = await network()
    const path = `${PATH}/${encodeURIComponent(args.invoice)}`
    const { body } = await ask<OneInvoice>({ path })
    return { answer: body, text: (screen) => show(screen, body, `${url}${path}`) }
  },
})

function show(screen: Screen, { invoice, lines, lines_left_out }: OneInvoice, url: string): string {
  const { number, kind, month, status, total_text, paid_text, due_text } = invoice
  const head = facts(screen, [
    [kind === 'invoice' ? 'invoice' : 'credit note', invoice.is_test ? `${number} (test)` : number],
    ['month', month],
    ['status', status, toneOf(invoice)],
    ['total', total_text],
    ['paid', paid_text],
    ['to pay', status === 'open' ? `${due_text} by ${instant(invoice.due_at, screen.zone)}` : null],
  ])
  const charged = table(
    screen,
    [
      { head: 'LINE', cell: ({ position }) => `${position}`, align: 'right', whole: true },
      { head: 'FOR', cell: ({ description }) => description, least: 12 },
      { head: 'KIND', cell: ({ kind }) => kind, whole: true },
      {
        head: 'SLOT',
        cell: ({ slot_time }) => (slot_time ? localSlot(slot_time) : ''),
        dispensable: 1,
      },
      { head: 'AMOUNT', cell: ({ text }) => text, align: 'right', whole: true },
    ],
    lines,
  )
  const more = lines_left_out > 0 ? [`${lines_left_out} more lines: ${url}/lines`] : []
  return [head, '', charged, ...more].join('\n')
}
