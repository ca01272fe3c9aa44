import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { verify } from '../../src/platform/http/signature.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { webhooks } from '../../src/webhooks/room.ts'

const read = (path: string) =>
  readFileSync(resolve(import.meta.dirname, '../../docs', path), 'utf8')
const page = read('protocols/webhooks.md')
const handbook = read('operate/operations.md')

test('the documented request verifies with the documented secret', () => {
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
  const intents = webhooks.capabilities.map(({ a2a }) => a2a)
  const onEndpoints = intents.filter((intent) => intent.startsWith('webhook.'))
  expect(onEndpoints.length).toBeGreaterThan(0)
  for (const intent of onEndpoints) expect(table).toContain(`\`${intent}\``)
})

test('in each documented SECRETS_KEY step, old and new processes open both seals', () => {
  const keyOf = new Map(['k1', 'k2'].map((id) => [id, newSealingKey().replace(/^[^:]+/, id)]))
  const lists = [...handbook.matchAll(/`SECRETS_KEY=([^`]+)`/g)].map(([, list = '']) => list)
  const steps = ['k1:…', ...lists, 'k2:…'].map((list) => {
    const text = list.replace(/(\w+):…/g, (_, id) => keyOf.get(id) ?? '')
    return createSealer(parseSealingKeys(text) ?? [])
  })
  for (const [nth, before] of steps.entries()) {
    const after = steps[nth + 1] ?? before
    expect(after.open(before.seal('secret', 'row'), 'row')).toBe('secret')
    expect(before.open(after.seal('secret', 'row'), 'row')).toBe('secret')
  }
})
