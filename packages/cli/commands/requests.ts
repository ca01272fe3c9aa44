import type { OneRequest, Requests } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { moreOf } from '../screen/more.ts'
import type { Screen } from '../screen/screen.ts'
import { requestTable, showRequest } from '../screen/show-request.ts'
import { paged } from './paged.ts'

export const listRequests = defineCommand({
  words: 'requests',
  summary: 'List the requests of your keys, newest first.',
  details: 'Requests of the last 7 days. Those of this command line are among them.',
  options: {
    status: {
      kind: 'text',
      value: 'CLASS',
      about: 'Only this class of HTTP status',
      choices: ['2xx', '4xx', '5xx'],
    },
    code: {
      kind: 'text',
      value: 'CODE',
      about: 'An error code, `ok`, or `refused` for every error',
    },
    door: { kind: 'text', value: 'DOOR', about: 'Only this door', choices: ['rest', 'a2a', 'mcp'] },
    key: { kind: 'text', value: 'ID', about: 'Only of the key with this id' },
    booking: { kind: 'text', value: 'ID', about: 'Only about this booking' },
    from: { kind: 'text', value: 'INSTANT', about: 'At or after: 2026-12-24T00:00:00Z' },
    until: { kind: 'text', value: 'INSTANT', about: 'Before this instant' },
    ...paged,
  },
  examples: ['requests', 'requests --code refused', 'requests --status 5xx --json'],
  async run({ options, network }) {
    const { body } = await (await network()).ask<Requests>({
      path: '/api/requests',
      query: options,
    })
    return { answer: body, text: (screen) => list(screen, body) }
  },
})

const list = (screen: Screen, { requests, next_cursor }: Requests) =>
  requests.length === 0
    ? 'No requests match.'
    : [requestTable(screen, requests), ...moreOf(screen, next_cursor)].join('\n')

export const showOneRequest = defineCommand({
  words: 'requests show',
  summary: 'Show a request: why it was refused, what it sent and what it got.',
  details: 'Secrets and guests’ details are not recorded.',
  args: { request: { about: 'Id of a request: `X-Request-Id`, or `request_id` of an error' } },
  examples: ['requests show 01a20eac-16a0-74f0-8a56-6dae50d07148'],
  async run({ args, network }) {
    const path = `/api/requests/${encodeURIComponent(args.request)}`
    const { body } = await (await network()).ask<OneRequest>({ path })
    return { answer: body, text: (screen) => showRequest(screen, body) }
  },
})
