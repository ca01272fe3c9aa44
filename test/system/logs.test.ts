import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi } from '../../src/compose/start-api.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { type Agent, findSlot, openAgent } from '../support/agent.ts'
import { everyDoor } from '../support/every-door.ts'
import { readableLog } from '../support/lines.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually, startProgram } from '../support/programs.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'

let network: Network
let api: Awaited<ReturnType<typeof startApi>>
let worker: Awaited<ReturnType<typeof startWorker>>
let agent: Agent
const { log, lines, text } = readableLog()

beforeAll(async () => {
  network = await openNetwork()
  api = await startApi(network.config, log)
  worker = await startWorker(network.config, log)
  agent = await openAgent(network.db, api.url)
})

afterAll(async () => {
  await worker?.stop()
  await api?.stop()
  await network?.close()
})

const guest = { name: 'Putu Wirawan', phone: '+62 811 000 111', email: 'putu@example.org' }
const notes = 'peanut allergy'
const guest_ref = 'agent-side-reference'

test('a booking can be traced from its request to its activity by its ids', async () => {
  const { body, headers } = await agent.post('/api/bookings', await findSlot(agent, 'restaurant'))
  const booking_id = body.booking.id
  const workflow_id = `booking/${booking_id}`
  expect(lines()).toContainEqual(
    expect.objectContaining({
      msg: 'call',
      request_id: headers.get('x-request-id'),
      account_id: agent.accountId,
      door: 'rest',
      operation: 'confirm booking',
      code: 'ok',
      ms: expect.any(Number),
      booking_id,
      workflow_id,
    }),
  )
  const activities = await eventually('the activity', async () => {
    const found = lines().filter((line) => line.activity && line.booking_id === booking_id)
    return found.length > 0 && found
  })
  expect(activities).toEqual([
    expect.objectContaining({
      msg: 'activity',
      activity: 'decideBooking',
      workflow_id,
      attempt: 1,
      result: 'ok',
      outcome: 'confirmed',
    }),
  ])
})

test('a failed attempt is one line with its error and its number', async () => {
  const slot = await findSlot(agent, 'spa', 1)
  await network.db.query('alter table fee_entry add constraint broken check (false) not valid')
  const { body } = await agent.post('/api/bookings', { ...slot, wait: 1, notes, guest })
  const failed = await eventually('two attempts', async () => {
    const found = lines().filter(
      (line) => line.msg === 'activity failed' && line.booking_id === body.booking.id,
    )
    return found.length > 1 && found
  })
  await network.db.query('alter table fee_entry drop constraint broken')
  expect(failed[0]).toMatchObject({ attempt: 1, error: { code: '23514', type: 'error' } })
  expect(failed[1]).toMatchObject({ attempt: 2 })
})

test('bytes that are not a request leave a line and a count', async () => {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.resume().write('FOO / HTTP/1.1\r\n\r\n')
  await once(socket, 'close')
  expect(lines()).toContainEqual(
    expect.objectContaining({ msg: 'not a request', code: 'malformed_request' }),
  )
  expect(await (await fetch(`${api.url}/metrics`)).text()).toContain(
    'http_parser_refusals_total{code="malformed_request"} 1',
  )
})

test('no line of a full run contains the key, the guest or the notes', async () => {
  const slot = await findSlot(agent, 'restaurant in Canggu')
  const wrongKey = `${agent.key.slice(0, -1)}_`
  const wishes = { ...slot, guest, notes, guest_ref }
  for (const [door, confirm] of everyDoor) {
    await confirm(api, agent.key, { ...wishes, idempotency_key: `secret-key-${door}` })
    await confirm(api, agent.key, { ...wishes, party_size: -1 })
    await confirm(api, agent.key, { ...wishes, guest: { ...guest, unknown: notes } })
    await confirm(api, wrongKey, wishes).catch(() => 'no stream without a key')
  }
  await agent.get(`/api/venues/search?q=${encodeURIComponent(notes)}`)
  const { body } = await agent.get('/api/bookings')
  const ids: string[] = body.bookings.map((booking: { id: string }) => booking.id)
  await eventually('all activities', async () =>
    ids.every((id) => lines().some((line) => line.activity && line.booking_id === id)),
  )
  expect(lines().length).toBeGreaterThan(15)
  const secrets = [agent.key, agent.key.slice(13, -1), ...Object.values(guest), notes, guest_ref]
  for (const secret of [...secrets, 'secret-key']) expect(text()).not.toContain(secret)
})

test('every line of a worker is JSON, including those of Temporal’s core', async () => {
  const [host = '', port] = network.config.TEMPORAL_ADDRESS.split(':')
  const temporal = await openTcpProxy(host, Number(port))
  const env = { ...network.env, TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}` }
  const program = startProgram('src/worker.ts', env)
  await program.prints('the worker takes bookings')
  await temporal.close()
  await program.prints('"sdkComponent":"core"')
  await program.end('SIGTERM')
  const printed = program.output().split('\n').filter(Boolean)
  expect(printed.filter((line) => !line.startsWith('{'))).toEqual([])
})
