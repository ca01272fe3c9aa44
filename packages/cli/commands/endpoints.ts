import { randomUUID } from 'node:crypto'
import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import { eventFilters } from '../../../src/webhooks/rules/event-types.ts'
import type { Endpoint, OneEndpoint } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { sendSafely } from '../network/send-safely.ts'
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

export const addEndpoint = defineCommand({
  words: 'webhooks add',
  summary: 'Create an endpoint that receives events.',
  details:
    'Prints the signing secret once. Nothing is sent until the endpoint is verified: ' +
    'webhooks verify.',
  args: { url: { about: 'URL that receives events' } },
  options: {
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
  },
  examples: [
    'webhooks add https://agent.example/hooks',
    'webhooks add https://agent.example/hooks --types booking.*,fee.accrued',
  ],
  async run({ args, options, network, terminal }) {
    const { types, description, header, rate, fifo } = options
    const input = {
      url: args.url,
      ...(types && { event_types: types }),
      ...(description !== undefined && { description }),
      ...(header !== undefined && { headers: headerOf(header) }),
      ...(rate !== undefined && { rate_per_second: rate }),
      ...(fifo && { fifo }),
    }
    const ask = {
      method: 'POST' as const,
      path: '/api/webhooks',
      body: input,
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
