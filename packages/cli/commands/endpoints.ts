import { randomUUID } from 'node:crypto'
import type { Options, OptionValues } from '../../../src/platform/command-line/command.ts'
import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import { eventFilters } from '../../../src/webhooks/rules/event-types.ts'
import type { Endpoint, OneEndpoint } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { sendSafely } from '../network/send-safely.ts'
import { printable } from '../screen/printable.ts'
import type { Screen } from '../screen/screen.ts'
import { shellWord } from '../screen/shell-word.ts'
import { endpointTable, showEndpoint } from '../screen/show-endpoint.ts'
import { endpointArgument, endpointPath, secretLines } from './endpoint-parts.ts'

export const listEndpoints = defineCommand({
  words: 'webhooks list',
  summary: 'List your endpoints, newest first.',
  examples: ['webhooks list'],
  async run({ network }) {
    const { body } = await (await network()).ask<{ endpoints: Endpoint[] }>({
      path: '/api/webhooks',
    })
    const { endpoints } = body
    return {
      answer: body,
      text: (screen) =>
        endpoints.length > 0
          ? endpointTable(screen, endpoints)
          : `No endpoints yet. Create one: ${screen.program} webhooks add URL`,
    }
  },
})

const terms = {
  types: {
    kind: 'list',
    value: 'TYPES',
    about: 'Only these types; all by default',
    choices: eventFilters,
  },
  description: { kind: 'text', value: 'TEXT', about: 'Your own note' },
  header: { kind: 'text', value: 'NAME:VALUE', about: 'Sent with each request' },
  rate: { kind: 'number', value: 'N', about: 'Maximum deliveries per second' },
  fifo: { kind: 'flag', about: 'One at a time, in order; a failure blocks the ones behind it' },
} as const satisfies Options
type Terms = OptionValues<typeof terms>

export const addEndpoint = defineCommand({
  words: 'webhooks add',
  summary: 'Create an endpoint that receives events.',
  details:
    'Prints the signing secret once. Nothing is sent until the endpoint is verified: ' +
    'webhooks verify.',
  args: { url: { about: 'URL that receives events' } },
  options: terms,
  examples: [
    'webhooks add https://agent.example/hooks',
    'webhooks add https://agent.example/hooks --types booking.*,fee.accrued',
  ],
  async run({ args, options, network, terminal }) {
    const ask = {
      method: 'POST' as const,
      path: '/api/webhooks',
      body: { url: args.url, ...termsOf(options) },
      idempotencyKey: randomUUID(),
    }
    const { body } = await sendSafely<OneEndpoint>(await network(), ask, terminal.say)
    const { endpoint } = body
    return {
      answer: body,
      text: (screen) =>
        [
          showEndpoint(screen, endpoint),
          ...secretLines(screen, body),
          `Configure it in your receiver, then: ${screen.program} webhooks verify ` +
            `${shellWord(endpoint.id)}`,
        ].join('\n'),
    }
  },
})

const termsOf = ({ types, description, header, rate, fifo }: Terms) => ({
  event_types: types,
  description,
  headers: header === undefined ? undefined : headerOf(header),
  rate_per_second: rate,
  fifo,
})

function headerOf(text: string): Record<string, string> {
  const [, name, value] = /^([^:\s]+):\s*(.+)$/.exec(text) ?? []
  if (!name || !value) throw new UsageError('--header needs NAME:VALUE.')
  return { [name]: value }
}

export const showOneEndpoint = defineCommand({
  words: 'webhooks show',
  summary: 'Show an endpoint, its health and its queue.',
  args: { endpoint: endpointArgument },
  examples: ['webhooks show 01a200f6-3ac1-7880-8750-353be6363e4a'],
  async run({ args, network }) {
    const { body } = await (await network()).ask<OneEndpoint>({ path: endpointPath(args.endpoint) })
    return { answer: body, text: (screen) => showEndpoint(screen, body.endpoint) }
  },
})

export const updateEndpoint = defineCommand({
  words: 'webhooks update',
  summary: 'Change an endpoint; a new URL has to be verified.',
  args: { endpoint: endpointArgument },
  options: { url: { kind: 'text', value: 'URL', about: 'New URL' }, ...terms },
  examples: ['webhooks update 01a200f6-3ac1-7880-8750-353be6363e4a --types booking.*'],
  async run({ args, options, network }) {
    const { body } = await (await network()).ask<OneEndpoint>({
      method: 'PATCH',
      path: endpointPath(args.endpoint),
      body: { url: options.url, ...termsOf(options) },
    })
    const { endpoint, next } = body
    const text = (screen: Screen) =>
      [showEndpoint(screen, endpoint), ...(next ? [printable(next)] : [])].join('\n')
    return { answer: body, text }
  },
})
