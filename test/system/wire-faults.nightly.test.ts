import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually, type Program, startProgram } from '../support/programs.ts'
import { openDatabaseProxy } from '../support/tcp-proxy.ts'

let network: Network
let proxy: Awaited<ReturnType<typeof openDatabaseProxy>>
let programs: Program[]
let agent: Agent

beforeAll(async () => {
  network = await openNetwork()
  proxy = await openDatabaseProxy(network.config.DATABASE_URL)
  const env = { ...network.env, DATABASE_URL: proxy.url }
  const api = startProgram('src/api.ts', env)
  const worker = startProgram('src/worker.ts', env)
  programs = [api, worker]
  await Promise.all([api.prints('the doors are open'), worker.prints('the worker takes bookings')])
  agent = await openAgent(network.db, `http://127.0.0.1:${network.config.PORT}`)
})

afterAll(async () => {
  for (const program of programs ?? []) await program.end('SIGKILL')
  await proxy?.close()
  await network?.close()
})

test('sessions that end as they become ready end neither the API nor a worker', async () => {
  const slot = await findSlot(agent, 'restaurant')
  const pids = programs.map((program) => program.process.pid)
  for (let round = 0; round < 3; round += 1) {
    proxy.endWhenReady(12)
    proxy.cut()
    const reads = Array.from({ length: 10 }, () => agent.get('/api/bookings'))
    const booking = agent.post('/api/bookings', { ...slot, guest_ref: `round ${round}` })
    for (const { status } of await Promise.all([...reads, booking])) {
      expect([200, 201, 202, 503]).toContain(status)
    }
  }
  proxy.endWhenReady(0)
  await eventually('a booking', async () => {
    const { body } = await agent.post('/api/bookings', { ...slot, guest_ref: 'the last' })
    return body.status === 'confirmed'
  })
  expect(programs.map(({ process }) => process.exitCode)).toEqual([null, null])
  expect(programs.map(({ process }) => process.pid)).toEqual(pids)
})
