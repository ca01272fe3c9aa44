import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealer, keyIdOf } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'

const raw = (id: string) => newSealingKey().replace(/^[^:]+/, id)
const k1 = raw('k1')
const k2 = raw('k2')
const sealerOf = (text: string) => createSealer(parseSealingKeys(text) ?? [])
const context = 'webhook_keys/1'

test('a sealed text opens again, and no two are alike', () => {
  const sealer = sealerOf(k1)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, row) => {
      expect(sealer.open(sealer.seal(plain, row), row)).toBe(plain)
    }),
  )
  expect(sealer.seal('secret', context)).not.toBe(sealer.seal('secret', context))
  expect(sealer.seal('secret', context)).not.toContain('secret')
})

test('the first key seals and every key opens, which allows rotation', () => {
  const old = sealerOf(k1).seal('secret', context)
  const rotated = sealerOf(`${k2},${k1}`)
  expect(rotated.open(old, context)).toBe('secret')
  expect(keyIdOf(old)).toBe('k1')
  const wrapped = rotated.seal(rotated.open(old, context), context)
  expect(keyIdOf(wrapped)).toBe('k2')
  expect(sealerOf(k2).open(wrapped, context)).toBe('secret')
  expect(rotated.keyIds).toEqual(['k2', 'k1'])
})

test('a digest depends on the text and the key', () => {
  const [first] = sealerOf(k1).digests('asked')
  const rotated = sealerOf(`${k2},${k1}`).digests('asked')
  expect(rotated).toHaveLength(2)
  expect(rotated[0]).not.toEqual(first)
  expect(rotated[1]).toEqual(first)
  expect(sealerOf(k1).digests('asked.')).not.toEqual([first])
})

/** AES-256-GCM with these bytes as the key, in the stored form. */
function sealWith(key: Buffer, version: string, plain: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(`${version}.k1.${context}`))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return `${version}.k1.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`
}
const master = Buffer.from(k1.slice(3), 'base64')
const subKey = (purpose: string) =>
  Buffer.from(hkdfSync('sha256', master, '', `venue-network/${purpose}/v1`, 32))

test('every kind of secret has a sub-key of its own, and the key itself is used for none', () => {
  const sealer = sealerOf(k1)
  expect(sealer.open(sealWith(subKey('seal/webhook_keys'), 'v2', 'secret'), context)).toBe('secret')
  for (const key of [master, subKey('seal/connector'), subKey('digest')]) {
    expect(() => sealer.open(sealWith(key, 'v2', 'secret'), context)).toThrow('was changed')
  }
  const macs = [sealer.digests('x'), sealer.tokens('a', 'x'), sealer.tokens('b', 'x')].flat()
  expect(new Set(macs.map((mac) => mac.toString('hex'))).size).toBe(3)
  expect(macs).not.toContainEqual(createHmac('sha256', master).update('x').digest())
})

test('a secret that was sealed before there were sub-keys still opens', () => {
  const older = sealWith(master, 'v1', 'secret')
  expect(sealerOf(`${k2},${k1}`).open(older, context)).toBe('secret')
  expect(() => sealerOf(k1).open(older.replace('v1.', 'v2.'), context)).toThrow('was changed')
})

test('an unlisted key is named', () => {
  const sealed = sealerOf(k1).seal('secret', context)
  expect(() => sealerOf(k2).open(sealed, context)).toThrow(
    'the key "k1", which SECRETS_KEY does not',
  )
})

test('a sealed text opens neither in another row, with another key or id, nor changed', () => {
  const sealer = sealerOf(`${k1},${k2}`)
  const sealed = sealer.seal('secret', context)
  const other = 'was changed, belongs elsewhere'
  expect(() => sealer.open(sealed, 'webhook_keys/2')).toThrow(other)
  expect(() => sealer.open(sealed.replace('v2.k1.', 'v2.k2.'), context)).toThrow(other)
  expect(() => sealerOf(raw('k1')).open(sealed, context)).toThrow(other)
  const bytes = Buffer.from(sealed.slice('v2.k1.'.length), 'base64url')
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    expect(() => sealer.open(`v2.k1.${changed.toString('base64url')}`, context)).toThrow(other)
  }
})

test.each(['', 'secret', 'v3.k1.AAAA', 'v2.k1.AAAA', 'v2..AAAA'])(
  '%j is not a sealed text, and is not echoed',
  (text) => {
    const form = 'A sealed secret is not in the form v2.<key id>.<base64url>.'
    expect(() => sealerOf(k1).open(text, context)).toThrow(new Error(form))
  },
)

test.each([
  ['nothing', ''],
  ['no id', k1.slice(2)],
  ['no key', 'k1:'],
  ['16 bytes', `k1:${Buffer.alloc(16).toString('base64')}`],
  ['33 bytes', `k1:${Buffer.alloc(33).toString('base64')}`],
  ['a duplicate id', `${k1},${raw('k1')}`],
  ['an invalid one beside a valid one', `${k1},k2`],
  ['an id with a dot', raw('k.1')],
  ['an id of 33 characters', raw('k'.repeat(33))],
])('%s is not a list of keys', (_, text) => {
  expect(parseSealingKeys(text)).toBeUndefined()
})

test('keys are hidden when printed or serialised', () => {
  const keys = parseSealingKeys(`${k1}, ${k2}\n`)
  expect(keys).toHaveLength(2)
  const secret = k1.slice(3, 20)
  for (const text of [JSON.stringify(keys), inspect(keys, { depth: 9 }), `${keys}`]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain(Buffer.from(k1.slice(3), 'base64').toString('hex').slice(0, 8))
  }
})
