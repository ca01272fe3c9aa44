import { randomUUID } from 'node:crypto'
import { durationMs } from '../../../src/clocks/rules/test-clocks.ts'
import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import type { Clock, Clocks, OneClock } from '../answers.ts'
import { defineCommand } from '../command.ts'
import type { Network } from '../network/network.ts'
import { sendSafely } from '../network/send-safely.ts'
import { facts } from '../screen/facts.ts'
import type { Screen } from '../screen/screen.ts'
import { table } from '../screen/table.ts'
import { instant } from '../screen/times.ts'
import { deciding } from './booking-options.ts'
import { change } from './change.ts'

const PATH = '/api/test_clocks'
const exampleId = '01a200f6-3ac1-7880-8750-353be6363e4a'
const clockArgument = { about: 'id of a test clock, from clocks list' }
const pathOf = (id: string, what = '') => `${PATH}/${encodeURIComponent(id)}${what}`

export const listClocks = defineCommand({
  words: 'clocks list',
  summary: 'List your test clocks, newest first.',
  examples: ['clocks list'],
  async run({ network }) {
    const { body } = await (await network()).ask<Clocks>({ path: PATH })
    return { answer: body, text: (screen) => list(screen, body) }
  },
})

const list = (screen: Screen, { test_clocks }: Clocks) =>
  test_clocks.length === 0
    ? `No test clocks yet. Create one: ${screen.program} clocks create`
    : rows(screen, test_clocks)

const rows = (screen: Screen, clocks: readonly Clock[]) =>
  table(
    screen,
    [
      { head: 'CLOCK', cell: ({ id }) => id, whole: true },
      { head: 'NAME', cell: ({ name }) => name },
      { head: 'SHOWS', cell: ({ now }) => instant(now, screen.zone), whole: true },
      { head: 'STATUS', cell: ({ status }) => status, whole: true },
    ],
    clocks,
  )

export const createClock = defineCommand({
  words: 'clocks create',
  summary: 'Create a test clock with its own sandbox.',
  details: 'Prints the test key of the sandbox once. Requests with it live in the clock’s time.',
  options: {
    name: { kind: 'text', value: 'TEXT', about: 'Your own note' },
    now: { kind: 'text', value: 'INSTANT', about: 'What it shows first, now by default' },
  },
  examples: ['clocks create --name reminders', 'clocks create --now 2026-12-24T09:00:00Z'],
  async run({ options, network, terminal }) {
    const ask = { method: 'POST' as const, path: PATH, body: { ...options } }
    const request = { ...ask, idempotencyKey: randomUUID() }
    const { body } = await sendSafely<OneClock>(await network(), request, terminal.say)
    return { answer: body, text: (screen) => created(screen, body) }
  },
})

const created = (screen: Screen, { test_clock, raw_key }: OneClock) =>
  [
    show(screen, test_clock),
    ...(raw_key ? [facts(screen, [['key', raw_key]]), 'The key is shown once.'] : []),
    `Move it: ${screen.program} clocks advance ${test_clock.id} --by P1D`,
  ].join('\n')

const show = (screen: Screen, { id, name, now, status, advancing_to }: Clock) =>
  facts(screen, [
    ['clock', id],
    ['name', name],
    ['shows', instant(now, screen.zone)],
    ['status', status],
    ['moving to', advancing_to && instant(advancing_to, screen.zone)],
  ])

export const showOneClock = defineCommand({
  words: 'clocks show',
  summary: 'Show a test clock’s time, and whether it is moving.',
  args: { clock: clockArgument },
  examples: [`clocks show ${exampleId}`],
  async run({ args, network }) {
    const { body } = await (await network()).ask<OneClock>({ path: pathOf(args.clock) })
    return { answer: body, text: (screen) => show(screen, body.test_clock) }
  },
})

export const advanceClock = defineCommand({
  words: 'clocks advance',
  summary: 'Move a test clock forward; everything due on the way happens.',
  details: 'Give --by or --to. Waits until the clock is there.',
  args: { clock: clockArgument },
  options: {
    by: { kind: 'text', value: 'DURATION', about: 'ISO 8601: PT5M, P1DT12H, P3W' },
    to: { kind: 'text', value: 'INSTANT', about: 'Where it moves to' },
    wait: deciding.wait,
  },
  examples: [
    `clocks advance ${exampleId} --by P3W`,
    `clocks advance ${exampleId} --to 2026-12-24T18:00:00Z`,
  ],
  async run({ args, options, network, terminal }) {
    const { by, to, wait } = options
    const connected = await network()
    const target = to ?? (await targetOf(connected, args.clock, by))
    const path = pathOf(args.clock, '/advance')
    const request = { path, body: { to: target }, waiting: 'Moving the clock' }
    const { body, code } = await change<OneClock>({ network: connected, terminal }, request, {
      wait,
    })
    return { answer: body, text: (screen) => show(screen, body.test_clock), code }
  },
})

/** A request resent after a lost answer must not move the clock twice. */
async function targetOf(network: Network, clock: string, by: string | undefined): Promise<string> {
  const ms = by === undefined ? undefined : durationMs(by)
  if (ms === undefined) throw new UsageError('Give --to INSTANT, or --by DURATION such as P1D.')
  const { body } = await network.ask<OneClock>({ path: pathOf(clock) })
  return new Date(Date.parse(body.test_clock.now) + ms).toISOString()
}

export const deleteClock = defineCommand({
  words: 'clocks delete',
  summary: 'Delete a test clock with its key and its endpoints.',
  details: 'Its bookings continue in real time, but nobody can read them any more.',
  args: { clock: clockArgument },
  examples: [`clocks delete ${exampleId}`],
  async run({ args, network }) {
    const ask = { method: 'DELETE' as const, path: pathOf(args.clock) }
    const { body } = await (await network()).ask<{ id: string }>(ask)
    return { answer: body, text: () => `Deleted ${body.id}. Its open bookings go on in real time.` }
  },
})
