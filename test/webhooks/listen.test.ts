import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeEvents } from '../support/deliveries.ts'
import { type Doors, type Holder, openDoors } from '../support/open-doors.ts'
import { eventually, startProgram } from '../support/programs.ts'

type Got = { headers: IncomingHttpHeaders; body: string }

let doors: Doors
let holder: Holder
let receiver: Server
let forwardUrl: string
let answer = 204
const got: Got[] = []

beforeAll(async () => {
  doors = await openDoors()
  holder = await doors.openAccount('pro')
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(answer).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  forwardUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
})
afterAll(async () => {
  receiver?.close()
  await doors?.close()
})

/** `npm run cli -- listen …` without a previous `login`. */
const listen = (args: string[], key = holder.key, url = doors.url) => {
  const env = { VENUE_NETWORK_URL: url, VENUE_NETWORK_KEY: key, XDG_CONFIG_HOME: '/nowhere' }
  return startProgram('packages/cli/main.ts', env, ['listen', ...args])
}

test('new events are forwarded, signed like deliveries, one line per outcome', async () => {
  await writeEvents(doors.db, holder.accountId, 2)
  const program = listen(['--forward', forwardUrl])
  await program.prints('after number 2')
  const [id] = await writeEvents(doors.db, holder.accountId, 1, 'fee.accrued')
  await program.prints(`#3  fee.accrued  ${id}  204 in`)
  const secret = /whsec_\S+/.exec(program.output())?.[0] ?? ''
  const verified = new Webhook(secret).verify(
    got[0]?.body ?? '',
    got[0]?.headers as Record<string, string>,
  )
  expect(verified).toEqual({
    id,
    type: 'fee.accrued',
    timestamp: expect.any(String),
    sequence: 1,
    data: { n: 0 },
  })
  answer = 500
  await writeEvents(doors.db, holder.accountId, 1, 'fee.accrued')
  await program.prints('500 in')
  answer = 204
  expect(await program.end('SIGINT')).toBe(130)
})

test('--after, --types and --secret are respected', async () => {
  const secret = `whsec_${Buffer.alloc(32, 'a secret of ours').toString('base64')}`
  got.length = 0
  const options = ['--after', '0', '--types', 'fee.*', '--secret', secret, '--forward', forwardUrl]
  const program = listen(options)
  const all = await eventually('both', async () => got.length >= 2 && got)
  for (const { body, headers } of all) {
    new Webhook(secret).verify(body, headers as Record<string, string>)
  }
  expect(all.map(({ body }) => JSON.parse(body).sequence)).toEqual([1, 2])
  expect(await program.end('SIGTERM')).toBe(143)
})

test('an unreachable receiver is reported, and the next event is still forwarded', async () => {
  const program = listen(['--after', '2', '--forward', 'http://127.0.0.1:9/hooks'])
  await program.prints('#3')
  await program.prints('#4')
  expect(program.output()).toContain('no connection')
  await program.end('SIGINT')
})

test('it stops before the daily quota is used up, and prints where to resume', async () => {
  const poor = await doors.openAccount('free', 5)
  const program = listen([], poor.key)
  const closed = once(program.process, 'close')
  await program.prints('after number 0')
  for (const number of [1, 2, 3]) {
    await writeEvents(doors.db, poor.accountId, 1)
    await program.prints(`#${number}`)
  }
  await closed
  expect(program.process.exitCode).toBe(1)
  expect(program.output()).toMatch(/Stopped: of the 5 requests .* the last 1 .*--after 3\./)
  const headers = { authorization: `Bearer ${poor.key}` }
  expect((await fetch(`${doors.url}/api/events`, { headers })).status).toBe(200)
})

const key = `service_live_${'x'.repeat(43)}`
test.each([
  [['--forward', 'ftp://localhost/'], '--forward needs'],
  [['--types', 'booking'], 'Did you mean booking.*?'],
  [['--after', '-1'], '--after'],
  [['--after', 'x'], '--after'],
  [['--secret', 'whsec_x'], '--secret needs'],
  [['--port', '1'], '--port'],
])('%j is refused', async (args, text) => {
  const program = listen(args, key)
  await once(program.process, 'close')
  expect([program.process.exitCode, program.output()]).toEqual([2, expect.stringContaining(text)])
})

test('a missing or malformed key ends it with advice; --help explains it', async () => {
  const none = listen([], '')
  await once(none.process, 'close')
  expect([none.process.exitCode, none.output()]).toEqual([2, expect.stringContaining('login')])
  const wrong = listen([], key)
  await once(wrong.process, 'close')
  expect([wrong.process.exitCode, wrong.output()]).toEqual([1, expect.stringContaining('Bearer')])
  const help = listen(['--help'])
  await once(help.process, 'close')
  expect([help.process.exitCode, help.output()]).toEqual([0, expect.stringContaining('Ctrl-C')])
})

test('it waits for a network that has not started yet', async () => {
  const program = listen([], holder.key, 'http://127.0.0.1:9')
  await program.prints('http://127.0.0.1:9 does not answer (no connection). Retrying in 1 s.')
  expect(await program.end('SIGINT')).toBe(130)
})
