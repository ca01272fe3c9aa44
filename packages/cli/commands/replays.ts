import { randomUUID } from 'node:crypto'
import type { OptionValues } from '../../../src/platform/command-line/command.ts'
import { eventFilters } from '../../../src/webhooks/rules/event-types.ts'
import type { Replay, ReplayMade, Replays } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { sendSafely } from '../network/send-safely.ts'
import { facts } from '../screen/facts.ts'
import { moreOf } from '../screen/more.ts'
import { toneOf } from '../screen/paint.ts'
import type { Screen } from '../screen/screen.ts'
import { table } from '../screen/table.ts'
import { instant } from '../screen/times.ts'
import { endpointArgument, endpointPath } from './endpoint-parts.ts'

const exampleId = '01a200f6-3ac1-7880-8750-353be6363e4a'

const choices = {
  'failed-since': {
    kind: 'text',
    value: 'INSTANT',
    about: 'Deliveries that failed or expired since this time',
  },
  'never-attempted': { kind: 'flag', about: 'Events never sent to this endpoint' },
  events: { kind: 'list', value: 'IDS', about: 'These events, comma-separated' },
  from: { kind: 'text', value: 'INSTANT', about: 'All events from this time on' },
  until: { kind: 'text', value: 'INSTANT', about: '… and before this time' },
  'from-number': { kind: 'number', value: 'N', about: 'All events from this number on' },
  'until-number': { kind: 'number', value: 'N', about: '… up to this one' },
  types: { kind: 'list', value: 'TYPES', about: 'Only these event types', choices: eventFilters },
} as const

export const replayEvents = defineCommand({
  words: 'webhooks replay',
  summary: 'Deliver events again.',
  details:
    'Choose events one way; --dry-run counts first. Pending and in-flight deliveries are skipped.',
  args: { endpoint: endpointArgument },
  options: {
    ...choices,
    'per-second': {
      kind: 'number',
      value: 'N',
      about: 'Deliveries per second, 100 by default',
    },
    'dry-run': { kind: 'flag', about: 'Only count, send nothing' },
  },
  examples: [
    `webhooks replay ${exampleId} --failed-since 2026-12-24T00:00:00Z --dry-run`,
    `webhooks replay ${exampleId} --from-number 120 --types booking.*`,
  ],
  async run({ args, options, network, terminal }) {
    const ask = {
      method: 'POST' as const,
      path: endpointPath(args.endpoint, 'replays'),
      body: filters(options),
      idempotencyKey: randomUUID(),
    }
    const { body } = await sendSafely<ReplayMade>(await network(), ask, terminal.say)
    return { answer: body, text: (screen) => createdReplay(screen, body, args.endpoint) }
  },
})

/** The selection in REST field names. */
const filters = (options: OptionValues<typeof choices>) =>
  Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => name in bodyNames)
      .map(([name, value]) => [bodyNames[name], value]),
  )

const bodyNames: Record<string, string> = Object.fromEntries(
  [...Object.keys(choices), 'per-second', 'dry-run'].map((name) => [
    name,
    name.replaceAll('-', '_'),
  ]),
)

function createdReplay(screen: Screen, { counts, replay }: ReplayMade, endpoint: string): string {
  return [
    replay ? `Replay ${replay.id}: ${replay.status}.` : 'Dry run: nothing was sent.',
    ...(counts
      ? [
          facts(screen, [
            ['to be sent', String(counts.would_send)],
            ['never sent before', String(counts.never_attempted)],
            ['skipped', String(counts.in_flight)],
          ]),
        ]
      : []),
    ...(replay ? [`Progress: ${screen.program} webhooks replays ${endpoint}`] : []),
  ].join('\n')
}

export const listReplays = defineCommand({
  words: 'webhooks replays',
  summary: 'List an endpoint’s replays and their progress.',
  args: { endpoint: endpointArgument },
  options: {
    limit: { kind: 'number', value: 'N', about: 'Replays per page, at most 100' },
    cursor: {
      kind: 'text',
      value: 'CURSOR',
      about: 'Cursor of the next page, from the page before',
    },
  },
  examples: [`webhooks replays ${exampleId}`],
  async run({ args, options, network }) {
    const path = endpointPath(args.endpoint, 'replays')
    const { body } = await (await network()).ask<Replays>({ path, query: options })
    return { answer: body, text: (screen) => list(screen, body) }
  },
})

const list = (screen: Screen, { replays, next_cursor }: Replays) =>
  replays.length === 0
    ? 'No replays yet.'
    : [rows(screen, replays), ...moreOf(screen, next_cursor)].join('\n')

const rows = (screen: Screen, replays: readonly Replay[]) =>
  table(
    screen,
    [
      { head: 'REPLAY', cell: ({ id }) => id, whole: true },
      {
        head: 'STATUS',
        cell: ({ status }) => status,
        tone: ({ status }) => toneOf(status),
        whole: true,
      },
      { head: 'FOUND', cell: ({ total }) => `${total}`, align: 'right' },
      { head: 'QUEUED', cell: ({ queued }) => `${queued}`, align: 'right' },
      { head: 'DELIVERED', cell: ({ deliveries }) => `${deliveries.delivered}`, align: 'right' },
      {
        head: 'CREATED',
        cell: ({ created_at }) => instant(created_at, screen.zone),
        whole: true,
        dispensable: 1,
      },
    ],
    replays,
  )
