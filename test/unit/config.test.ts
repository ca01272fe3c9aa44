import { expect, test } from 'vitest'
import { readConfig, readRunConfig } from '../../src/config.ts'

test('every problem of the environment is reported at once, by name', () => {
  const env = {
    PORT: '70000',
    FEE_PCT: 'much',
    DATABASE_URL: 'mysql://x',
    TEMPORAL_ADDRESS: 'here',
  }
  const message = String(
    (() => {
      try {
        return readConfig(env)
      } catch (error) {
        return error
      }
    })(),
  )
  for (const name of Object.keys(env)) expect(message).toContain(`  ${name}: `)
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 })
})

test('a process without servers of its own says which two addresses it needs', () => {
  expect(() => readRunConfig({ DATABASE_URL: 'postgres://x' })).toThrow(
    'DATABASE_URL and TEMPORAL_ADDRESS must be set',
  )
})
