import { randomUUID } from 'node:crypto'
import { entryStatuses } from '../../../src/waitlist/rules/entry-status.ts'
import type { OneWatch, Watch, Watches } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { sendSafely } from '../network/send-safely.ts'
import { type Fact, facts } from '../screen/facts.ts'
import { moreOf } from '../screen/more.ts'
import { toneOf } from '../screen/paint.ts'
import type { Screen } from '../screen/screen.ts'
import { shellWord } from '../screen/shell-word.ts'
import { slotColumns } from '../screen/slot-columns.ts'
import { table } from '../screen/table.ts'
import { localDeadline, localSlot } from '../screen/times.ts'
import {
  guestOf,
  guestOptions,
  refOption,
  slotArguments,
  slotOf,
  slotOptions,
} from './booking-options.ts'
import { paged } from './paged.ts'

const PATH = '/api/watches'
const exampleId = '01a200f6-3ac1-7880-8750-353be6363e4a'
const watchArgument = { about: 'Id of a watch' }
const pathOf = (id: string, verb = '') => `${PATH}/${encodeURIComponent(id)}${verb}`

export const watch = defineCommand({
  words: 'watch',
  summary: 'Join the waitlist of a full slot.',
  details:
    'A slot that becomes free is held for you, with the event venue.availability_opened. ' +
    'Needs the pro plan.',
  args: slotArguments,
  options: {
    ...slotOptions,
    ...guestOptions,
    ...refOption,
    flex: { kind: 'number', value: 'MINUTES', about: 'Take slots this much earlier or later too' },
    until: { kind: 'text', value: 'INSTANT', about: 'When to stop waiting, in UTC' },
  },
  examples: ['watch angin-laut-sushi-canggu 2026-12-24T19:00 --party 2 --flex 30'],
  async run({ args, options, network, terminal }) {
    const { flex, until } = options
    const guest = { ...guestOf(options), guest_ref: options.ref }
    const body = { ...slotOf('watch', args, options), ...guest, flex_minutes: flex, until }
    const ask = { method: 'POST' as const, path: PATH, body, idempotencyKey: randomUUID() }
    const { body: answer } = await sendSafely<OneWatch>(await network(), ask, terminal.say)
    return { answer, text: (screen) => show(screen, answer.watch) }
  },
})

function show(screen: Screen, watch: Watch): string {
  const by = (local: string | null) => local && localDeadline(local)
  const { hold_id, hold_slot_time, hold_until_local, position } = watch
  const all: Fact[] = [
    ['watch', watch.id],
    ['status', watch.status, toneOf(watch.status)],
    ['because', watch.reason_code],
    ['venue', `${watch.venue.name} (${watch.venue.slug})`],
    ['time', `${localSlot(watch.slot_time)} (${watch.timezone})`, 'strong'],
    ['service', serviceOf(watch)],
    ['or within', watch.flex_minutes === 0 ? null : `${watch.flex_minutes} minutes`],
    ['guests', String(watch.party_size)],
    ['position', position === null ? null : String(position)],
    ['held', hold_slot_time && `${localSlot(hold_slot_time)}, until ${by(hold_until_local)}`],
    ['waits until', by(watch.until_local)],
  ]
  const { program } = screen
  return watch.status === 'offered' && hold_id
    ? `${facts(screen, all)}\nConfirm it: ${program} holds confirm ${shellWord(hold_id)}`
    : facts(screen, all)
}

/** What is waited for: `Hot stone massage, 90 min, with Ayu`. */
const serviceOf = ({ service, minutes, with: leader }: Watch): string =>
  [service, minutes && `${minutes} min`, leader && `with ${leader}`].filter(Boolean).join(', ')

export const listWatches = defineCommand({
  words: 'watches list',
  summary: 'List your watches, newest first.',
  options: {
    status: { kind: 'text', value: 'STATUS', about: 'Only this status', choices: entryStatuses },
    ...paged,
  },
  examples: ['watches list --status offered'],
  async run({ options, network }) {
    const { body } = await (await network()).ask<Watches>({ path: PATH, query: options })
    return { answer: body, text: (screen) => list(screen, body) }
  },
})

const list = (screen: Screen, { watches, next_cursor }: Watches) =>
  watches.length === 0
    ? 'No watches match.'
    : [rows(screen, watches), ...moreOf(screen, next_cursor)].join('\n')

const rows = (screen: Screen, watches: readonly Watch[]) =>
  table<Watch>(
    screen,
    [
      { head: 'WATCH', cell: ({ id }) => id, whole: true },
      ...slotColumns,
      { head: 'SERVICE', cell: serviceOf, dispensable: 3 },
      { head: 'POSITION', cell: ({ position }) => `${position ?? ''}`, align: 'right' },
    ],
    watches,
  )

export const showOneWatch = defineCommand({
  words: 'watches show',
  summary: 'Show a watch, its place in the queue and what it was offered.',
  args: { watch: watchArgument },
  examples: [`watches show ${exampleId}`],
  async run({ args, network }) {
    const { body } = await (await network()).ask<OneWatch>({ path: pathOf(args.watch) })
    return { answer: body, text: (screen) => show(screen, body.watch) }
  },
})

export const cancelWatch = defineCommand({
  words: 'watches cancel',
  summary: 'Leave the waitlist; a slot that is held for you is released.',
  args: { watch: watchArgument },
  examples: [`watches cancel ${exampleId}`],
  async run({ args, network }) {
    const ask = { method: 'POST' as const, path: pathOf(args.watch, '/cancel'), body: {} }
    const { body } = await (await network()).ask<OneWatch>(ask)
    return { answer: body, text: (screen) => show(screen, body.watch) }
  },
})
