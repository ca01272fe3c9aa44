import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { startProgram } from '../support/programs.ts'

const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/x', TEMPORAL_ADDRESS: '127.0.0.1:1' }

/** Starts a program that should refuse to run; returns its exit code and output. */
async function refusal(file: string, env: Record<string, string>) {
  const program = startProgram(file, env)
  const code = await new Promise((ended) => program.process.once('close', ended))
  return { code, output: program.output() }
}

test.each(['src/api.ts', 'src/worker.ts'])('%s does not start without a mode', async (file) => {
  const { code, output } = await refusal(file, nowhere)
  expect(output).toMatch(/^ {2}NODE_ENV must be given: production for a service that others use/m)
  expect(code).toBe(1)
})

test('npm start does not serve a public address in development mode', async () => {
  const { code, output } = await refusal('src/main.ts', { PUBLIC_URL: 'https://network.example' })
  expect(output).toMatch(/^ {2}PUBLIC_URL is https:\/\/network\.example, which others can reach/m)
  expect(code).toBe(1)
})

test('behind a TLS proxy the API does not start before it knows the proxy', async () => {
  const { code, output } = await refusal('src/api.ts', {
    ...nowhere,
    NODE_ENV: 'production',
    SECRETS_KEY: newSealingKey(),
    TIMELINE_KEY: newSealingKey(),
    PUBLIC_URL: 'https://network.example',
  })
  expect(output).toMatch(
    /^ {2}TRUSTED_PROXIES must list the address of the proxy that serves https/m,
  )
  expect(code).toBe(1)
})

test('an API whose port is taken says which, before it asks its servers', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const env = { ...nowhere, NODE_ENV: 'test', PORT: String(port) }
  const { code, output } = await refusal('src/api.ts', env)
  other.close()
  expect(output).toBe(
    `Port ${port} on 127.0.0.1 is taken by another program. ` +
      `Stop that program, or choose another port: PORT=${port + 1}\n`,
  )
  expect(code).toBe(1)
})
