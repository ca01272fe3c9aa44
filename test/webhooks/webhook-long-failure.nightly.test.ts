import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWebhookActivities } from '../../activities/webhooks.ts'
import { HOUR_MS } from '../../src/base/durations.ts'
import { BOOKINGS_QUEUE, WEBHOOKS_QUEUE } from '../../src/base/task-queues.ts'
import { choosePort } from '../../src/local/ports.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createOutbound } from '../../src/platform/http/client.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { addSearchAttributes } from '../../src/platform/temporal/namespace.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { endpointWorkflowId } from '../../src/webhooks/rules/endpoint-messages.ts'
import { retryDelaysMs } from '../../src/webhooks/rules/retry-schedule.ts'
import { testActivities } from '../support/activities.ts'
import { createDatabase } from '../support/database.ts'
import {
  attemptsOf,
  deliveriesOf,
  type MadeEndpoint,
  makeEndpoint,
  putEvent,
  putEvents,
} from '../support/endpoints.ts'
import { bundleFolder, eventually } from '../support/programs.ts'
import { openReceiver } from '../support/receiver.ts'
import { makeReplay } from '../support/replays.ts'
import { startTimeSkipping, timeSkippingServer } from '../support/time-skipping.ts'

installQuietRuntime()

const server = timeSkippingServer()
const without = 'reason' in server ? ` (skipped: ${server.reason})` : ''

describe.skipIf('reason' in server)(
  `an endpoint that is down for days, with time skipping${without}`,
  () => {
    let database: Awaited<ReturnType<typeof createDatabase>>
    let db: Pool
    let env: TestWorkflowEnvironment
    let workers: Worker[]
    let outbound: ReturnType<typeof createOutbound>
    let running: Promise<unknown>
    const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
    const open = () =>
      createOutbound({
        allow: [],
        httpsOnly: false,
        allowLoopback: true,
        ports: [],
        maxSockets: 50,
      })

    beforeEach(async () => {
      if ('reason' in server) return
      database = await createDatabase()
      outbound = open()
      db = openPool(database.url, 5, () => {})
      env = await startTimeSkipping(server.path)
      await addSearchAttributes(env.client)
      const log = createLog('silent')
      const connection = env.nativeConnection
      workers = [
        await Worker.create({
          connection,
          taskQueue: BOOKINGS_QUEUE,
          workflowBundle: await workflowBundle(bundleFolder),
          activities: await testActivities(db, env.client),
        }),
        await Worker.create({
          connection,
          taskQueue: WEBHOOKS_QUEUE,
          workflowBundle: await workflowBundle(bundleFolder),
          activities: createWebhookActivities({
            db,
            outbound,
            sealer,
            log,
            count() {},
            heldDays: 30,
          }),
        }),
      ]
      running = Promise.all(workers.map((worker) => worker.run()))
      // Starting Java alone may take a minute.
    }, 180_000)

    afterEach(async () => {
      for (const worker of workers ?? []) worker.shutdown()
      await running
      await outbound?.close()
      await env?.teardown()
      await db?.end()
      await database?.drop()
    })

    const now = async () => new Date(await env.currentTimeMs())
    const start = ({ endpointId, accountId }: MadeEndpoint) =>
      env.client.workflow.start('webhookDelivery', {
        workflowId: endpointWorkflowId(endpointId),
        taskQueue: WEBHOOKS_QUEUE,
        args: [{ endpointId, accountId }],
      })
    const typesOf = async ({ accountId }: MadeEndpoint) => {
      const { rows } = await db.query(
        `select type, data from event where account_id = $1 and type like 'endpoint.%'
         order by number`,
        [accountId],
      )
      return rows as { type: string; data: Record<string, unknown> }[]
    }

    test('for 96 hours: events fail on schedule, and one replay recovers them', async () => {
      const url = await closedUrl()
      const endpoint = await makeEndpoint(db, sealer, { url, at: await now() })
      const EVENTS = 8
      const began = await now()
      await putEvents(db, endpoint.accountId, EVENTS, began)
      const handle = await start(endpoint)
      await env.sleep('96h')
      expect(await deliveriesOf(db, endpoint)).toEqual({ failed: EVENTS })

      const attempts = await attemptsOf(db, endpoint)
      const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id)
      expect(byDelivery.size).toBe(EVENTS)
      for (const tries of byDelivery.values()) {
        expect(tries).toHaveLength(10)
        expect(tries.map(({ failure }) => failure)).toEqual(Array(10).fill('connect'))
        retryDelaysMs.forEach((delay, index) => {
          const gap = tries[index + 1]?.started_at - tries[index]?.started_at
          expect(gap).toBeGreaterThan(delay * 0.8 - 300)
        })
        expect(tries[9]?.started_at - began.getTime()).toBeLessThan(90 * HOUR_MS)
      }
      expect((await typesOf(endpoint)).map(({ type }) => type)).toEqual(['endpoint.failing'])
      const history = await handle.fetchHistory()
      expect(history.events?.length ?? 0).toBeLessThan(4_000)

      const receiver = await openReceiver(undefined, Number(new URL(url).port))
      const replay = await makeReplay(db, endpoint, {
        last: EVENTS,
        failedSince: began,
        at: await now(),
      })
      await handle.signal(replay.name, { id: replay.id })
      await env.sleep('1m')
      await eventually('the replay to be over', async () => {
        const counts = await deliveriesOf(db, endpoint)
        return counts.delivered === EVENTS
      })
      expect(new Set(receiver.ids()).size).toBe(EVENTS)
      expect(receiver.received.map(({ body }) => body.sequence).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: EVENTS }, (_, index) => index + 1),
      )
      await handle.terminate()
      await receiver.close()
    })

    test('for five days: its owner is warned half-way, then it is disabled', async () => {
      const url = await closedUrl()
      const endpoint = await makeEndpoint(db, sealer, { url, at: await now() })
      await putEvent(db, endpoint.accountId, {}, await now())
      const handle = await start(endpoint)
      await env.sleep('76h')
      const began = await now()
      await putEvent(db, endpoint.accountId, {}, began)
      await handle.signal('deliver')
      await env.sleep('61h')
      await putEvent(db, endpoint.accountId, {}, await now())
      await handle.signal('deliver')
      await env.sleep('1h')
      const told = await typesOf(endpoint)
      expect(told.map(({ type }) => type)).toEqual(['endpoint.failing', 'endpoint.disabled'])
      expect(told[1]?.data).toMatchObject({ endpoint_id: endpoint.endpointId, reason: 'failing' })
      const { rows } = await db.query('select status, status_reason from endpoint where id = $1', [
        endpoint.endpointId,
      ])
      expect(rows).toEqual([{ status: 'disabled', status_reason: 'failing' }])
      expect(await deliveriesOf(db, endpoint)).toEqual({ failed: 1, pending: 2 })
      expect(await handle.query('progress')).toMatchObject({ phase: 'holding', nextAt: null })
      await handle.terminate()
    })
  },
)

/** An address that nobody listens on. */
const closedUrl = async () => `http://127.0.0.1:${await choosePort()}/`
