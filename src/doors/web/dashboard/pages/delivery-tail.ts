import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account, Context } from '../../../../contract/operation.ts'
import { listDeliveries } from '../../../../webhooks/operations/read-deliveries.ts'
import { readEndpointUrls } from '../../../../webhooks/operations/read-endpoints.ts'
import { deliveryRow } from '../delivery-table.ts'
import { createEventStreams } from '../event-streams.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { deliveryFilter } from './deliveries.ts'

const LOOK_EVERY_MS = 500
const CHECK_SESSION_MS = 2_000
/** A browser opens the stream anew after that, through the guards. */
const LONGEST_MS = 15 * 60_000

/** What a browser is told: the ids that the list has now, and the rows that are new or have changed. */
type News = { order: string[]; rows: Record<string, string> }

/** `/dashboard/deliveries/tail`: the first page of the list as it changes, as server-sent events, for as long as the session lives. */
export async function deliveryTail(
  scope: FastifyInstance,
  { call, services, guards }: DashboardDeps,
) {
  const streams = createEventStreams({ total: 100, perAccount: 5, atOnce: 3 })
  scope.addHook('preClose', async () => streams.stop())

  scope.get('/dashboard/deliveries/tail', { exposeHeadRoute: false }, async (request, reply) => {
    const asked = deliveryFilter(request)
    await call(request, listDeliveries, { ...asked, limit: 1 })
    const account = request.keyHolder as Account
    streams.admit(account.id)
    const stream = streams.open(reply, account.id)
    const isSignedIn = async () => {
      request.developer = null
      await guards.openSession(request)
      return request.developer !== null
    }
    const read = createReader(services, request, account, asked)
    const until = performance.now() + LONGEST_MS
    let checkAt = 0
    await stream.every(LOOK_EVERY_MS, async () => {
      const now = performance.now()
      if (now > until) return 'end'
      if (now > checkAt) {
        if (!(await isSignedIn())) return 'end'
        checkAt = now + CHECK_SESSION_MS
      }
      const news = await read()
      return news && { event: 'deliveries', data: news }
    })
  })
}

/** Each call answers what has changed in the first page of the list since the one before; undefined when nothing has. */
function createReader(
  services: DashboardDeps['services'],
  request: FastifyRequest,
  account: Account,
  asked: Record<string, unknown>,
): () => Promise<News | undefined> {
  const input = listDeliveries.input.parse(asked)
  let shown: Map<string, string> | undefined
  const addresses = new Map<string, string>()
  const looked = new Set<string>()
  const context = (): Context => ({
    ...services,
    account,
    scopes: request.keyHolder?.scopes ?? [],
    door: 'dashboard',
    from: null,
    requestId: request.id,
    at: new Date(),
  })

  return async () => {
    const { deliveries } = await listDeliveries.run(context(), input)
    const unknown = deliveries.map(({ endpoint_id }) => endpoint_id).filter((id) => !looked.has(id))
    if (unknown.length > 0) {
      for (const { id, url } of await readEndpointUrls(services, account.id)) addresses.set(id, url)
      // one that is not there has been deleted, and stays so
      for (const id of unknown) looked.add(id)
    }
    const now = new Map(deliveries.map((one) => [one.id, deliveryRow(one, addresses).markup]))
    const changed = [...now].filter(([id, row]) => shown?.get(id) !== row)
    const isSame = changed.length === 0 && now.size === shown?.size
    shown = now
    return isSame ? undefined : { order: [...now.keys()], rows: Object.fromEntries(changed) }
  }
}
