import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { askNameServers } from '../../src/platform/http/resolve.ts'

const A = 1
const AAAA = 28
const NAME_ERROR = 3
const SERVER_FAILURE = 2

type Records = Buffer[] | 'silence' | { rcode: number }

/** A name server on loopback (RFC 1035) with a configured answer for each query type. */
async function openNameServer(answers: Record<number, Records>): Promise<string> {
  const server = createSocket('udp4')
  server.on('message', (query, from) => {
    const end = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(end - 4)
    const answer = answers[type] ?? []
    if (answer === 'silence') return
    const records = Array.isArray(answer) ? answer : []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (Array.isArray(answer) ? 0 : answer.rcode), 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    const parts = records.map((data) => Buffer.concat([recordHead(type, data.length), data]))
    server.send(Buffer.concat([header, query.subarray(12, end), ...parts]), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return `127.0.0.1:${server.address().port}`
}

function recordHead(type: number, length: number): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(length, 10)
  return head
}

const ipv4 = Buffer.from([198, 51, 100, 7])
const other4 = Buffer.from([10, 0, 0, 1])
const ipv6 = Buffer.from('20010db8000000000000000000000001', 'hex')

test.each([
  [
    'both families',
    { [A]: [ipv4, other4], [AAAA]: [ipv6] },
    ['198.51.100.7', '10.0.0.1', '2001:db8::1'],
  ],
  ['IPv4 alone', { [A]: [ipv4], [AAAA]: [] }, ['198.51.100.7']],
  ['IPv6 alone', { [A]: [], [AAAA]: [ipv6] }, ['2001:db8::1']],
  ['no address', { [A]: [], [AAAA]: [] }, []],
  ['NXDOMAIN', { [A]: { rcode: NAME_ERROR }, [AAAA]: { rcode: NAME_ERROR } }, []],
  [
    'one family and a failure for the other',
    { [A]: [ipv4], [AAAA]: { rcode: SERVER_FAILURE } },
    ['198.51.100.7'],
  ],
])('a name server that returns %s', async (_, answers, addresses) => {
  const resolve = askNameServers([await openNameServer(answers)])
  expect(await resolve('venue.example')).toEqual(addresses)
})

test('a name server that never answers times out', async () => {
  const resolve = askNameServers([await openNameServer({ [A]: 'silence', [AAAA]: 'silence' })])
  const asked = performance.now()
  expect(await resolve('venue.example')).toEqual([])
  expect(performance.now() - asked).toBeLessThan(60_000)
})
