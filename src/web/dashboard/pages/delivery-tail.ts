import type { FastifyRequest } from 'fastify'
import { MINUTE_MS } from '../../../base/durations.ts'
import type { Account } from '../../../contract/operation.ts'
import { addressOf } from '../../../doors/guards/allowance.ts'
import type { Developer } from '../../../doors/guards/session.ts'
import { listDeliveries } from '../../../webhooks/operations/read-deliveries.ts'
import { readEndpointUrls } from '../../../webhooks/operations/read-endpoints.ts'
import type { Delivery } from '../../../webhooks/schema/deliveries.ts'
import { deliveryRow } from '../delivery-table.ts'
import { createEventStreams } from '../event-streams.ts'
import type { Page, PageDeps } from '../page.ts'
import { inZone, zoneOf } from '../reader-zone.ts'
import { requireRole } from '../roles.ts'
import { deliveryFilter } from './deliveries.ts'

const POLL_MS = 500
const CHECK_SESSION_MS = 2_000
/** After this a browser reconnects, through the guards. */
const MAX_STREAM_MS = 15 * MINUTE_MS

/** `/dashboard/deliveries/tail`: changes of the list's first page, as server-sent events. */
export const deliveryTail: Page = async (scope, { call, services, guards }) => {
  const streams = createEventStreams(100, 3)
  scope.addHook('preClose', () => streams.stop())

  /** Ends the stream after a change of session, account or role, or a suspension. */
  const isStillAllowed = async (request: FastifyRequest) => {
    const before = request.developer
    request.developer = null
    await guards.openSession(request)
    requireRole(request)
    const { developer: now } = request as { developer: Developer | null }
    return (
      now?.account_id === before?.account_id && now?.suspended_reason === before?.suspended_reason
    )
  }

  scope.get('/dashboard/deliveries/tail', { exposeHeadRoute: false }, async (request, reply) => {
    const filter = deliveryFilter(request)
    await call(request, listDeliveries, { ...filter, limit: 1 })
    const account = request.keyHolder as Account
    const { scopes = [] } = request.keyHolder ?? {}
    const ids = {
      account,
      scopes,
      door: 'dashboard',
      address: addressOf(request),
      from: null,
      requestId: request.id,
    } as const
    const input = listDeliveries.input.parse(filter)
    const zone = zoneOf(request)
    const readChanges = createReader(services, { accountId: account.id, zone }, async () => {
      const context = { ...services, ...ids, at: new Date() }
      return (await listDeliveries.run(context, input)).deliveries
    })
    const until = performance.now() + MAX_STREAM_MS
    let checkAt = 0
    await streams.open(reply, { id: request.developer?.id ?? account.id }, POLL_MS, async () => {
      const now = performance.now()
      if (now > until) return 'end'
      const data = await readChanges()
      // Before each message: a removed member gets nothing more.
      if (data || now > checkAt) {
        if (!(await isStillAllowed(request))) return 'end'
        checkAt = now + CHECK_SESSION_MS
      }
      return data && { event: 'deliveries', data }
    })
  })
}

/** Reads the ids of the list and the rows that changed since the last call; undefined if none. */
function createReader(
  services: PageDeps['services'],
  { accountId, zone }: { accountId: string; zone: string },
  readList: () => Promise<readonly Delivery[]>,
) {
  let lastRows: Map<string, string> | undefined
  const urls = new Map<string, string>()
  const cached = new Set<string>()

  return async () => {
    const deliveries = await readList()
    const unknown = deliveries.map(({ endpoint_id }) => endpoint_id).filter((id) => !cached.has(id))
    if (unknown.length > 0) {
      for (const { id, url } of await readEndpointUrls(services, accountId)) urls.set(id, url)
      // An endpoint without a URL is deleted, for good.
      for (const id of unknown) cached.add(id)
    }
    const now = new Map(
      deliveries.map((one) => [one.id, inZone(deliveryRow(one, urls, true), zone).markup]),
    )
    const changes = [...now].filter(([id, row]) => lastRows?.get(id) !== row)
    const isSame = changes.length === 0 && now.size === lastRows?.size
    lastRows = now
    return isSame ? undefined : { order: [...now.keys()], rows: Object.fromEntries(changes) }
  }
}
