import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { choosePort } from '../../src/local/ports.ts'
import { type Agent, agentWith, findSlot } from '../support/agent.ts'
import { afterCommit, beforeCommit, type CrashSite, openCrashSite } from '../support/crash-site.ts'
import type { Network } from '../support/network.ts'
import { daily, nightly } from '../support/nightly.ts'
import { eventually, startProgram } from '../support/programs.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'
import { traces } from '../support/traces.ts'

// A process is killed at the commit of a step: the connection to PostgreSQL is cut before the
// commit reaches the server, or after the commit but before the process learns of it. With a new
// process, the result must be one booking, one fee and one event of each kind.

let site: CrashSite
let network: Network
let agent: Agent

beforeAll(async () => {
  site = await openCrashSite()
  ;({ network, agent } = site)
})

afterAll(() => site?.close())
afterEach(() => site.killWorkers())

const confirmedOnce = {
  booking: [expect.objectContaining({ status: 'confirmed', revision: 2, fee_status: 'accrued' })],
  steps: ['hold', 'confirm'],
  fees: [expect.objectContaining({ kind: 'accrual' })],
  events: ['booking.held', 'booking.confirmed', 'fee.accrued'],
}

describe('a killed worker', () => {
  test.each(
    daily([
      ['before hold and confirmation commit', beforeCommit(1)],
      ['after hold and confirmation have committed', afterCommit(1)],
    ]),
  )('%s leaves a booking that the next worker finishes, once', async (_when, at) => {
    const slot = await findSlot(agent, 'restaurant')
    const key = randomUUID()
    const send = (wait: number) =>
      agent.post('/api/bookings', { ...slot, wait }, { 'idempotency-key': key })
    let first: Awaited<ReturnType<typeof send>> | undefined
    await site.killWorkerAt(at, async () => {
      first = await send(0)
    })
    expect(first).toMatchObject({ status: 202, body: { status: 'pending' } })

    await site.startWorker()
    const bookingId = first?.body.booking.id
    expect(await site.outcomeOf(bookingId)).toMatchObject({
      status: 'confirmed',
      fee: { status: 'accrued' },
    })
    expect(await traces(network.db, bookingId)).toMatchObject(confirmedOnce)
    expect(await send(10)).toMatchObject({
      status: 200,
      body: { status: 'confirmed', replayed: true, booking: { id: bookingId } },
    })
  })

  test.each(
    daily(
      [
        ['before the completion commits', beforeCommit(1)],
        ['after the completion has committed', afterCommit(1)],
      ],
      0,
    ),
  )(
    '%s, with its workflow terminated, leaves a booking that the sweep completes, once',
    async (_when, at) => {
      const first = await site.startWorker()
      const { body } = await agent.post('/api/bookings', await findSlot(agent, 'spa', 1))
      const bookingId = body.booking.id
      await first.end('SIGTERM')
      await network.client.workflow.getHandle(bookingWorkflowId(bookingId)).terminate('operator')
      await network.db.query(
        `update booking set starts_at = starts_at - interval '30 days',
         ends_at = ends_at - interval '30 days', next_action_at = now() - interval '1 hour'
       where id = $1`,
        [bookingId],
      )
      await site.killWorkerAt(at, async () => {})

      await site.startWorker()
      await eventually('completion', async () => {
        const now = await traces(network.db, bookingId)
        return now.booking[0]?.status === 'completed' && !now.booking[0].live
      })
      expect((await traces(network.db, bookingId)).events).toEqual([
        'booking.held',
        'booking.confirmed',
        'fee.accrued',
        'booking.completed',
      ])
    },
  )
})

describe('a killed API process', () => {
  nightly(
    'before starting the workflow loses nothing: the same request is deduplicated',
    async () => {
      const [host = '', port] = network.config.TEMPORAL_ADDRESS.split(':')
      const proxy = await openTcpProxy(host, Number(port))
      const PORT = String(await choosePort())
      const TEMPORAL_ADDRESS = `127.0.0.1:${proxy.port}`
      const slot = await findSlot(agent, 'bar')
      const key = randomUUID()
      const doomed = startProgram('src/api.ts', { ...network.env, PORT, TEMPORAL_ADDRESS })
      await doomed.prints('the doors are open')
      proxy.freeze()
      const lost = agentWith(`http://127.0.0.1:${PORT}`, agent.accountId, agent.key)
      const unanswered = lost
        .post('/api/bookings', slot, { 'idempotency-key': key })
        .catch(() => 'cut')
      const written = await eventually('the request row', async () => {
        const { rows } = await network.db.query(
          'select subject_id as booking_id from idempotency_key where key = $1',
          [key],
        )
        return rows[0]
      })
      await doomed.end('SIGKILL')
      expect(await unanswered).toBe('cut')
      await proxy.close()

      await site.startWorker()
      const answer = await agent.post('/api/bookings', slot, { 'idempotency-key': key })
      expect(answer.body).toMatchObject({
        status: 'confirmed',
        booking: { id: written.booking_id },
      })
      expect(await traces(network.db, written.booking_id)).toMatchObject(confirmedOnce)
    },
  )

  test('during a booking leaves it to the worker, and the next process returns it', async () => {
    const slot = await findSlot(agent, 'gym', 1)
    const key = randomUUID()
    const PORT = String(await choosePort())
    const doomed = startProgram('src/api.ts', { ...network.env, PORT })
    await doomed.prints('the doors are open')
    const lost = agentWith(`http://127.0.0.1:${PORT}`, agent.accountId, agent.key)
    const unanswered = lost
      .post('/api/bookings', slot, { 'idempotency-key': key })
      .catch(() => 'cut')
    const bookingId = await eventually('the running workflow', async () => {
      const { rows } = await network.db.query(
        'select subject_id as booking_id from idempotency_key where key = $1',
        [key],
      )
      const id = rows[0]?.booking_id
      if (!id) return undefined
      const described = network.client.workflow.getHandle(bookingWorkflowId(id)).describe()
      return described.then(() => id).catch(() => undefined)
    })
    await doomed.end('SIGKILL')
    expect(await unanswered).toBe('cut')

    await site.startWorker()
    expect(await site.outcomeOf(bookingId)).toMatchObject({ status: 'confirmed' })
    expect(await traces(network.db, bookingId)).toMatchObject(confirmedOnce)
  })
})
