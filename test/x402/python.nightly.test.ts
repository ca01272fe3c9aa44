import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fundWallet } from '../../src/x402/store/local-ledger.ts'
import { openService, type Service } from '../support/network.ts'
import { findSlots } from '../support/slots.ts'

const CLIENT = 'x402[evm,requests]==2.25.0'
const MINUTES = 60_000

const run = promisify(execFile)
let service: Service
let folder: string

beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local' })
  folder = mkdtempSync(join(tmpdir(), 'x402-'))
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the Python client of another author pays for a booking', {
  timeout: 5 * MINUTES,
}, async () => {
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', CLIENT])
  const WALLET_KEY = generatePrivateKey()
  const { address } = privateKeyToAccount(WALLET_KEY)
  await fundWallet(service.db, { network: 'eip155:84532', address }, 20_000_000n)
  const [slot] = await findSlots(service.agent, 'dinner for 2', 1)
  const { stdout } = await run(
    join(folder, 'bin', 'python'),
    [resolve(import.meta.dirname, 'pay.py'), `${service.url}/api/bookings`, JSON.stringify(slot)],
    { env: { WALLET_KEY, PATH: process.env.PATH } },
  )
  expect(JSON.parse(stdout)).toMatchObject({
    status: 201,
    body: { status: 'confirmed', payment: { success: true, payer: address.toLowerCase() } },
  })
})
