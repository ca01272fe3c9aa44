import type { LoggedRequest, OneRequest } from '../answers.ts'
import { facts } from './facts.ts'
import { jsonText } from './json-text.ts'
import type { Tone } from './paint.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'
import { instant } from './times.ts'

const wordsOf = ({ method, path, target, door, operation }: LoggedRequest): string =>
  method === null
    ? `${door} ${operation}`
    : [method, path, door === 'rest' ? null : target].filter(Boolean).join(' ')

const toneOf = ({ code }: LoggedRequest): Tone => (code === 'ok' ? 'good' : 'bad')

const statusOf = ({ status, code }: LoggedRequest): string => `${status ?? code}`

/** A table of requests. */
export const requestTable = (screen: Screen, requests: readonly LoggedRequest[]): string =>
  table(
    screen,
    [
      { head: 'REQUEST', cell: ({ request_id }) => request_id, whole: true },
      { head: 'STATUS', cell: statusOf, tone: toneOf, whole: true },
      { head: 'CODE', cell: ({ code }) => code, least: 12 },
      { head: 'CALLED', cell: wordsOf, least: 16, dispensable: 1 },
      { head: 'MS', cell: ({ ms }) => `${ms}`, align: 'right', dispensable: 3 },
      { head: 'WHEN', cell: ({ at }) => instant(at, screen.zone), whole: true, dispensable: 2 },
    ],
    requests,
  )

/** A request with its reason and its bodies. */
export function showRequest(screen: Screen, view: OneRequest): string {
  const { request, error, key, booking_id, group_id, sent, answer } = view
  const head = facts(screen, [
    ['request', request.request_id],
    ['called', wordsOf(request)],
    ['status', `${statusOf(request)} ${request.code}`, toneOf(request)],
    ['why', error?.message],
    ['what to do', error?.advice],
    ['when', `${instant(request.at, screen.zone)}, ${request.ms} ms`],
    ['key', key && `${key.name} …${key.ends_in}`],
    ['agent', request.from],
    ['booking', booking_id],
    ['group', group_id],
  ])
  if (!sent || !answer) return `${head}\n\nIts bodies are not recorded.`
  const { headers, query, body } = sent
  const parts: [string, unknown][] = [
    ['Header fields', headers],
    ['Query', query],
    ['Body', body],
    ['Answer', answer.body],
  ]
  const nonEmpty = parts.filter(([, value]) => !isEmpty(value))
  const texts = nonEmpty.map(
    ([name, value]) => `${screen.paint(name, 'strong')}\n${jsonText(value, 2)}`,
  )
  const isCut = sent.is_cut || answer.is_cut
  return [head, ...texts, ...(isCut ? ['Long bodies are shortened.'] : [])].join('\n\n')
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
