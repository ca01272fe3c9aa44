import { expect, test } from 'vitest'
import { Refusal } from '../../src/base/errors.ts'
import { hashPassword, verifyPassword } from '../../src/platform/sealing/password-secret.ts'

test('a password is stored as argon2id with its cost, salted', async () => {
  const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(one).not.toBe(other)
  expect(await verifyPassword('correct horse', one)).toBe(true)
  expect(await verifyPassword('correct horsf', one)).toBe(false)
})

test('a hash of another cost still verifies', async () => {
  // argon2-cffi 25.1.0: PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash("password")
  const hash =
    '$argon2id$v=19$m=64,t=1,p=1$5jluzvOXonxK6HFgvHORJQ$G7LPoQ3CwRq/Zj46TkWCA0dNpLeNzcQrpWPU4Or5Y7c'
  expect(await verifyPassword('password', hash)).toBe(true)
  expect(await verifyPassword('Password', hash)).toBe(false)
})

test('the same characters in another Unicode form are the same password', async () => {
  const hash = await hashPassword('cafe\u0301 con leche')
  expect(await verifyPassword('caf\u00e9 con leche', hash)).toBe(true)
})

test.each([undefined, '', 'none', '$argon2i$v=19$m=64,t=1,p=1$AAAA$AAAA'])(
  'the hash %j accepts no password',
  async (hash) => {
    expect(await verifyPassword('correct horse', hash)).toBe(false)
  },
)

test('most of a flood from one address is refused, and others are served', async () => {
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error) => (error instanceof Refusal ? error.data.code : String(error)),
    )
  const flood = Array.from({ length: 40 }, () => codeOf(hashPassword('guess', '203.0.113.1')))
  const other = codeOf(hashPassword('correct horse', '203.0.113.2'))
  expect(await other).toBe('done')
  const codes = await Promise.all(flood)
  expect(codes.filter((code) => code === 'overloaded')).toHaveLength(19)
  expect(codes.filter((code) => code === 'done')).toHaveLength(21)
})
