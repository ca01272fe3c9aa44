import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpointCapabilities } from '../../src/operations/endpoint-catalog.ts'
import { verify } from '../../src/outbound/signature.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')

test('the request that the page shows verifies with the secret that it shows', () => {
  const [, secret = ''] = /"secret": "(whsec_[^"]+)"/.exec(page) ?? []
  const [, id, timestamp, signature, body = ''] =
    /^webhook-id: (.*)\nwebhook-timestamp: (.*)\nwebhook-signature: (.*)\n\n(.*)\n/m.exec(page) ??
    []
  const at = new Date(Number(timestamp) * 1000)
  expect(verify([secret], { id, timestamp, signature }, body, at)).toEqual({ ok: true })
  expect(JSON.parse(body)).toMatchObject({ id, type: 'endpoint.test', sequence: 1 })
})

test('the page names every operation on endpoints', () => {
  const [, table = ''] = page.split('## The operations')
  for (const { a2a } of endpointCapabilities) expect(table).toContain(`\`${a2a}\``)
})
