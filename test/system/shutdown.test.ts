import { once } from 'node:events'
import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../src/compose/engine.ts'
import { startApi as openApi } from '../../src/compose/start-api.ts'
import { choosePort } from '../../src/local/ports.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Agent, agentWith, findSlot, openAgent } from '../support/agent.ts'
import { openStream, post } from '../support/mcp-stream.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually, type Program, startProgram } from '../support/programs.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { traces } from '../support/traces.ts'

let network: Network
let agent: Agent
let api: Awaited<ReturnType<typeof openApi>>

beforeAll(async () => {
  network = await openNetwork()
  api = await openApi(network.config, createLog('silent'))
  agent = await openAgent(network.db, api.url)
})

afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGKILL')
})

afterAll(async () => {
  await api?.stop()
  await network?.close()
})

const programs: Program[] = []

async function startApi(env: Record<string, string> = {}) {
  const PORT = String(await choosePort())
  const program = startProgram('src/api.ts', { ...network.env, PORT, ...env })
  programs.push(program)
  await program.prints('the doors are open')
  return { program, url: `http://127.0.0.1:${PORT}` }
}

async function startWorker() {
  const worker = startProgram('src/worker.ts', network.env)
  programs.push(worker)
  await worker.prints('the worker takes bookings')
  return worker
}

/** Blocks every decision until the returned function is called. */
async function holdDecisions(): Promise<() => Promise<void>> {
  const client = await network.db.connect()
  await client.query('begin; lock table booking in share row exclusive mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

/** Waits until `count` decisions wait for the lock; housekeeping may also wait for it. */
const decisionsWait = (count: number) =>
  eventually(`${count} waiting decisions`, async () => {
    const { rows } = await network.db.query(
      `select from pg_stat_activity where wait_event_type = 'Lock'
       and datname = current_database() and query like '%insert into booking (%'`,
    )
    return rows.length === count
  })

const readiness = async (url: string) => {
  const response = await fetch(`${url}/readyz`)
  return { http: response.status, ...((await response.json()) as { status: string }) }
}

describe('a stopping API process', () => {
  nightly(
    'says so at once, serves for DRAIN_SECONDS, and closes kept-alive connections',
    async () => {
      const { program, url } = await startApi({ DRAIN_SECONDS: '5' })
      const keptAlive = new HttpAgent({ keepAlive: true, maxSockets: 1 })
      const ping = async () => {
        const asked = request(`${url}/api/venues?limit=1`, { agent: keptAlive }).end()
        const [answer] = (await once(asked, 'response')) as [IncomingMessage]
        answer.resume()
        await once(answer, 'end')
        return { status: answer.statusCode, connection: answer.headers.connection }
      }
      expect(await ping()).toEqual({ status: 200, connection: 'keep-alive' })
      const ended = once(program.process, 'exit')
      program.process.kill('SIGTERM')
      const stopping = await eventually('stopping', async () => {
        const now = await readiness(url)
        return now.status === 'stopping' && now
      })
      expect(stopping.http).toBe(503)
      expect(await ping()).toEqual({ status: 200, connection: 'close' })
      expect(await ping()).toEqual({ status: 200, connection: 'close' })
      expect(await ended).toEqual([0, null])
      keptAlive.destroy()
    },
  )

  test('answers the bookings in progress, through REST and MCP, and exits with 0', async () => {
    const { program, url } = await startApi()
    const worker = await startWorker()
    const slot = await findSlot(agent, 'restaurant')
    const letGo = await holdDecisions()
    const caller = agentWith(url, agent.accountId, agent.key)
    const rest = caller.post('/api/bookings', { ...slot, wait: 60 })
    const stream = await openStream(url, agent.key)
    const confirm = {
      name: 'confirm_booking',
      arguments: { ...slot, guest_ref: 'through MCP', wait: 60 },
    }
    await post(stream.address, agent.key, {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: confirm,
    })
    await decisionsWait(2)
    program.process.kill('SIGTERM')
    const ended = once(program.process, 'exit')
    await program.prints('"msg":"stopping"')
    await letGo()
    expect(await rest).toMatchObject({ status: 201, body: { status: 'confirmed' } })
    expect(JSON.parse(await stream.nextData())).toMatchObject({
      id: 7,
      result: { content: [{ text: expect.stringContaining('"status":"confirmed"') }] },
    })
    expect(await stream.reader?.read()).toMatchObject({ done: true })
    expect(await ended).toEqual([0, null])
    expect(await worker.end('SIGTERM')).toBe(0)
  })

  nightly('ends early without work in progress, and at once when asked twice', async () => {
    const idle = await startApi()
    // If it did not end early, it would be killed after 35 s and exit with 1.
    expect(await idle.program.end('SIGTERM')).toBe(0)

    const draining = await startApi({ DRAIN_SECONDS: '60' })
    const began = performance.now()
    draining.program.process.kill('SIGTERM')
    const { process: child } = draining.program
    await eventually('its end', async () => child.exitCode !== null || !child.kill('SIGTERM'))
    expect(child.exitCode).toBe(1)
    expect(performance.now() - began).toBeLessThan(40_000)
  })
})

nightly(
  'a caller who waits beyond the grace period is told that the booking is pending',
  async () => {
    const worker = await startWorker()
    const letGo = await holdDecisions()
    const stopWaiting = new AbortController()
    const engine = createEngine(network.client, { stopWaiting: stopWaiting.signal })
    const start = await requestDaysAhead(network.db)
    const answer = engine.confirm(start, 60)
    await decisionsWait(1)
    stopWaiting.abort()
    expect(await answer).toBe('pending')
    await letGo()
    expect(await worker.end('SIGTERM')).toBe(0)
  },
)

test('a stopping worker finishes its running decision and takes no new one', async () => {
  const worker = await startWorker()
  const slot = await findSlot(agent, 'spa', 1)
  const letGo = await holdDecisions()
  const { body } = await agent.post('/api/bookings', { ...slot, wait: 0 })
  await decisionsWait(1)
  worker.process.kill('SIGTERM')
  const ended = once(worker.process, 'exit')
  await worker.prints('"msg":"stopping"')
  await letGo()
  expect(await ended).toEqual([0, null])
  expect(await traces(network.db, body.booking.id)).toMatchObject({
    steps: ['hold', 'confirm'],
    fees: [{ kind: 'accrual' }],
  })
  expect(worker.output()).toContain(`"workflow_id":"booking/${body.booking.id}"`)
})
