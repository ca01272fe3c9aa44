import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { fundWallet, selectBalance } from '../../src/local/x402/ledger.ts'
import type { Pool } from '../../src/platform/database/sql.ts'

const network = 'eip155:84532'

/**
 * A new test wallet with this much USDC, and an unmodified client that pays from it, at most `most`
 * dollars at a time.
 */
export async function openWallet(db: Pool, usdc = 10, most = 20) {
  const account = privateKeyToAccount(generatePrivateKey())
  const { address } = account
  await fundWallet(db, { network, address }, BigInt(Math.round(usdc * 1e6)))
  // By default the client pays at most 1 USD; some fees are higher.
  const client = x402Client.fromConfig({
    schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
    spendControls: { maxAmountPerPayment: `$${most}` },
  })
  return {
    address: address.toLowerCase(),
    account,
    client,
    balance: () => selectBalance(db, { network, address }),
    /** pays what a 402 asks for, and repeats the request */
    fetch: wrapFetchWithPayment(fetch, client),
  }
}

/** The content of a base64 x402 header field. */
export const decoded = (text: string | null): any =>
  text === null ? null : JSON.parse(Buffer.from(text, 'base64').toString('utf8'))

/** A POST of JSON, keyless unless headers say otherwise. */
export const posting = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
