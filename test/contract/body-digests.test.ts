import { expect, test } from 'vitest'
import { digestOf } from '../../src/contract/idempotency.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'

const [older, newer] = [newSealingKey(), newSealingKey()]
const withKeys = (...keys: string[]) => ({
  egress: createSealer(parseSealingKeys(keys.join()) ?? []),
})
const body = { venue_id: 'a', guest: { name: 'Budi', phone: '1' } }

test('equal bodies have equal digests, whatever the order of their members', () => {
  const { newest } = digestOf(withKeys(newer), body)
  const turned = { guest: { phone: '1', name: 'Budi' }, venue_id: 'a' }
  expect(digestOf(withKeys(newer), turned).equals(newest)).toBe(true)
  expect(digestOf(withKeys(newer), { ...body, venue_id: 'b' }).equals(newest)).toBe(false)
})

test('a body matches its digest under a replaced key, but not under an unknown key', () => {
  const { newest } = digestOf(withKeys(older), body)
  expect(digestOf(withKeys(newer, older), body).equals(newest)).toBe(true)
  expect(digestOf(withKeys(newer), body).equals(newest)).toBe(false)
})
