import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createRequireSameOrigin } from '../../src/doors/guards/origin.ts'

const isTaken = (publicUrl: string, headers: Record<string, string>) =>
  createRequireSameOrigin(publicUrl)({ method: 'POST', headers } as unknown as FastifyRequest).then(
    () => true,
    () => false,
  )

test.each([
  ['its own address', 'http://192.168.1.5:3000', '192.168.1.5:3000', true],
  ['its own loopback', 'http://127.0.0.1:3000', '127.0.0.1:3000', true],
  ['another machine', 'http://192.168.1.6:3000', '192.168.1.5:3000', false],
  ['another port', 'http://192.168.1.5:80', '192.168.1.5:3000', false],
  ['a rebound DNS name', 'http://evil.example:3000', 'evil.example:3000', false],
  ['a name that looks like one', 'http://10.0.0.1.evil.example', '10.0.0.1.evil.example', false],
  ['a public address', 'http://203.0.113.5:3000', '203.0.113.5:3000', false],
])(
  'a network that listens on all addresses accepts LAN forms: from %s',
  async (_, origin, host, taken) => {
    expect(await isTaken('http://0.0.0.0:3000', { origin, host })).toBe(taken)
    expect(await isTaken('https://network.example', { origin, host })).toBe(false)
  },
)

test('Sec-Fetch-Site overrides the Origin header', async () => {
  const page = { origin: 'http://192.168.1.5:3000', host: '192.168.1.5:3000' }
  expect(await isTaken('http://0.0.0.0:3000', { ...page, 'sec-fetch-site': 'cross-site' })).toBe(
    false,
  )
})
