import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toLocal } from '../../base/local-time.ts'
import { isTimeZone } from '../../base/time-zones.ts'
import { accountOf, type DoorName } from '../../contract/operation.ts'
import { formula } from '../../contract/safe-text.ts'
import type { NetworkCapability } from '../../network.ts'
import { timeOfCall } from '../calls/account-time.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { addressOf } from '../guards/allowance.ts'
import { createOpenStreams } from '../http/open-streams.ts'

/** Rows per query, which limits the memory that an export uses. */
const PAGE_ROWS = 500
/** Maximum concurrent exports in this process; each account may run one. */
const MAX_EXPORTS = 10

type Export = {
  capability: NetworkCapability
  door: DoorName
  input: Record<string, unknown>
  /** the reader's time zone, for additional columns of local times */
  zone?: string | undefined
}
type Page = Record<string, unknown> & { next_cursor: string | null }

/** Columns with times. */
const TIMES = new Set(['at', 'created_at'])

const localTime = (zone = 'UTC', instant: unknown) =>
  typeof instant === 'string' ? toLocal(zone, new Date(instant)).slice(0, 19) : null

/** Whether a request asks for CSV rather than JSON. */
export const wantsCsv = ({ method, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && /\btext\/csv\b/i.test(accept) && !/\bjson\b/i.test(accept)

/** The zone in `Prefer: time-zone=…`; an invalid one is ignored (RFC 7240). */
export function preferredZoneOf({ headers }: FastifyRequest): string | undefined {
  const zone = /(?:^|,)\s*time-zone\s*=\s*"?([\w+/-]+)/i.exec(String(headers.prefer))?.[1]
  return zone && isTimeZone(zone) ? zone : undefined
}

/**
 * Sends a whole list as CSV, one page at a time, at the reader's speed. An error closes the
 * connection, so that nobody mistakes part of a list for the whole.
 */
export function createCsvExport(scope: FastifyInstance, { services }: DoorDeps) {
  const exports = createOpenStreams(MAX_EXPORTS)
  const running = new Set<Readable>()
  scope.addHook('preClose', async () => {
    for (const rows of running) rows.destroy(new Error('this process is stopping'))
  })

  return (
    request: FastifyRequest,
    reply: FastifyReply,
    { capability, door, input, zone }: Export,
  ) => {
    const { operation, rest } = capability
    const { list, columns } = rest.csv ?? { list: '', columns: [] }
    const account = request.keyHolder ?? null
    const caller = { account, scopes: account?.scopes ?? [], door, address: addressOf(request) }
    const place = exports.admit(accountOf(caller))
    const readPage = async (cursor: string | undefined) => {
      const at = timeOfCall(operation, account, new Date())
      const context = { ...services, ...caller, from: null, requestId: request.id, at }
      const page = { ...input, limit: PAGE_ROWS, cursor }
      return operation.output.parse(await operation.run(context, page)) as Page
    }
    const time = columns.find((path) => TIMES.has(path))
    const local = zone && zone !== 'UTC' && time ? [`${time} (${zone})`] : []
    const cellsOf = (item: unknown) => [
      ...columns.map((path) => valueAt(item, path)),
      ...local.map(() => localTime(zone, valueAt(item, time ?? ''))),
    ]
    async function* rows() {
      yield csvRow([...columns, ...local])
      let cursor: string | null | undefined
      do {
        const page = await readPage(cursor ?? undefined)
        const items = page[list] as unknown[]
        yield items.map((item) => csvRow(cellsOf(item))).join('')
        cursor = page.next_cursor
      } while (cursor)
    }
    const stream = Readable.from(rows())
    running.add(stream)
    stream.on('close', () => running.delete(stream))
    place.use(reply.raw)
    const name = `${list}-${new Date().toISOString().slice(0, 10)}.csv`
    return reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(stream)
  }
}

/** Includes `;` and tabs, because some spreadsheets use them as separators instead of commas. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/

/** A row in RFC 4180 format. Text that a spreadsheet would execute gets a leading apostrophe. */
export const csvRow = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = formula.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The value at a path such as `venue.name`; the path is also the column's name. */
const valueAt = (item: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], item)
