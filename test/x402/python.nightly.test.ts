import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fundWallet } from '../../src/local/x402/ledger.ts'
import { type AskedSlot, findSlots } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'

const MINUTES = 60_000

const run = promisify(execFile)
let service: Service
let slots: AskedSlot[]
let folder: string

beforeAll(async () => {
  service = await openService({ X402_FACILITATOR: 'local' })
  slots = await findSlots(service.agent, 'dinner for 2', 2)
  folder = mkdtempSync(join(tmpdir(), 'x402-'))
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  [2, 'x402[evm,requests]==2.25.0', 'pay.py'],
  [1, 'x402==0.2.1', 'pay-v1.py'],
])(
  'the Python client of version %i, by another author, pays for a booking',
  {
    timeout: 5 * MINUTES,
  },
  async (version, client, script) => {
    const env = join(folder, `${version}`)
    await run('python3', ['-m', 'venv', env])
    await run(join(env, 'bin', 'pip'), ['install', '--quiet', client])
    const WALLET_KEY = generatePrivateKey()
    const { address } = privateKeyToAccount(WALLET_KEY)
    await fundWallet(service.db, { network: 'eip155:84532', address }, 20_000_000n)
    const { stdout } = await run(
      join(env, 'bin', 'python'),
      [
        resolve(import.meta.dirname, script),
        `${service.url}/api/bookings`,
        JSON.stringify(slots.shift()),
      ],
      { env: { WALLET_KEY, PATH: process.env.PATH } },
    )
    expect(JSON.parse(stdout)).toMatchObject({
      status: 201,
      body: { status: 'confirmed', payment: { success: true, payer: address.toLowerCase() } },
    })
  },
)
