import { expect, test } from 'vitest'
import { createOutbound } from '../../src/platform/http/client.ts'
import { OutboundError } from '../../src/platform/http/failure.ts'
import { connectorPolicy, parseTarget, subscriberPolicy } from '../../src/platform/http/target.ts'
import { harmlessUrls, hostileAnswers, hostileUrls } from './hostile-urls.ts'

const production = { NODE_ENV: 'production', HOST: '127.0.0.1', OUTBOUND_SOCKETS: 10 }
const policy = subscriberPolicy(production)

const rows = Object.entries(hostileUrls).flatMap(([why, urls]) =>
  urls.map((url) => [why, url.length > 80 ? `${url.slice(0, 77)}…` : url, url] as const),
)

/** Sends to the URL while names resolve to `answer`; returns the failure and the lookup count. */
async function failureOf(url: string, answer: string[]) {
  let lookUps = 0
  const outbound = createOutbound(policy, {
    resolve: async () => {
      lookUps += 1
      return answer
    },
  })
  const request = { url, method: 'GET', headers: {}, deadlineMs: 5_000, maxBodyBytes: 1 } as const
  const failure = await outbound.send(request).then(
    () => undefined,
    (error: unknown) => error as OutboundError,
  )
  await outbound.close()
  return { failure, lookUps }
}

test('the table of hostile URLs is long', () => {
  expect(rows.length).toBeGreaterThanOrEqual(100)
})

test.each(rows)('%s: %j is refused, and nothing is looked up or sent', async (_, __, url) => {
  const { failure, lookUps } = await failureOf(url, [])
  expect(failure).toBeInstanceOf(OutboundError)
  expect(failure?.kind).toMatch(/^refused_(url|address)$/)
  expect(failure?.sent).toBe(false)
  expect(lookUps).toBe(0)
})

test.each(hostileAnswers)(
  'a name that resolves to %s … is refused without revealing the address',
  async (...answer) => {
    const { failure } = await failureOf('https://venue.example/', answer)
    expect(failure).toMatchObject({ kind: 'refused_address', sent: false })
    for (const address of answer.filter(Boolean)) expect(failure?.message).not.toContain(address)
  },
)

test.each(harmlessUrls)('%s is not refused', (url) => {
  expect(parseTarget(url, policy)).toMatchObject({ secure: true, allowed: false })
})

test('a name without addresses has its own failure', async () => {
  const { failure } = await failureOf('https://venue.example/', [])
  expect(failure).toMatchObject({ kind: 'dns', sent: false })
})

test('OUTBOUND_ALLOW admits exactly the host and port that it names, for an operator', () => {
  const config = { ...production, OUTBOUND_ALLOW: ['simulator:4000', '10.0.0.1:80', '[::1]:9000'] }
  const allowing = connectorPolicy(config)
  for (const url of ['http://simulator:4000/x', 'http://10.1/', 'https://[0::1]:9000/']) {
    expect(parseTarget(url, allowing).allowed).toBe(true)
    expect(() => parseTarget(url, subscriberPolicy(config))).toThrow(OutboundError)
  }
  for (const url of ['http://simulator:4001/', 'http://10.0.0.2/', 'https://10.0.0.1/']) {
    expect(() => parseTarget(url, allowing)).toThrow(OutboundError)
  }
  expect(() => parseTarget('http://user@simulator:4000/', allowing)).toThrow('user name')
})

test('loopback is admitted only outside production by a service on loopback', () => {
  const config = { ...production, NODE_ENV: 'development' }
  const local = subscriberPolicy(config)
  for (const url of ['http://localhost:1234/', 'http://api.localhost/', 'http://[::1]:99/']) {
    expect(parseTarget(url, local)).toMatchObject({ secure: false })
    for (const other of [
      { ...config, HOST: '0.0.0.0' },
      { ...config, NODE_ENV: 'production' },
    ]) {
      expect(() => parseTarget(url, subscriberPolicy(other))).toThrow(OutboundError)
    }
  }
  for (const url of ['http://10.0.0.1/', 'http://0.0.0.0/', 'http://[::ffff:127.0.0.1]/']) {
    expect(() => parseTarget(url, local)).toThrow(OutboundError)
  }
})
