import { readConfig } from '../../src/config.ts'
import { HOUR_MS } from '../../src/contract/rules/durations.ts'
import { scopes } from '../../src/contract/rules/scopes.ts'
import { openFacilitator } from '../../src/open-facilitator.ts'
import { openPayments } from '../../src/open-payments.ts'
import type { Facilitator } from '../../src/x402/facilitator.ts'
import { resumeSettlements } from '../../src/x402/steps/resume-settlements.ts'
import { settleOwed } from '../../src/x402/steps/settle-owed.ts'
import { type Agent, agentWith } from '../support/agent.ts'
import { readableLog } from '../support/lines.ts'
import { openDoors } from '../support/open-doors.ts'
import { decoded, openWallet, posting } from './pay.ts'

const settings = { X402_FACILITATOR: 'local', PAYMENTS: 'none' }
const USDC = 500

export const proMonthlyMinor = 4900
/** A month of pro in millionths of a USDC. */
export const PRICE = 49_000_000n
export const pro = { tier: 'pro' }

/** What a process does that is killed within a call: nothing more. */
export const die = async (): Promise<never> => {
  throw new Error('killed')
}

/**
 * Doors of a network without cards. Payments are settled in this process, by a facilitator that a
 * test can let fail or die.
 */
export async function openWalletDoors() {
  const doors = await openDoors(settings)
  const { db, engine, url } = doors
  const { log } = readableLog()
  const config = readConfig({ NODE_ENV: 'test', ...settings })
  const local = openFacilitator(config, db)?.facilitator
  const deps = await openPayments(config, { db, publicUrl: url, log })
  if (!local || !deps) throw new Error('nothing collects')
  let facilitator: Facilitator = local
  const settle = (id: string) => settleOwed({ db, log, facilitator }, id, new Date())
  engine.settlePayment = async ({ paymentId }) => {
    await settle(paymentId)
    return 'over'
  }
  engine.resumeSettlement = async ({ paymentId }) => {
    await settle(paymentId)
    return true
  }
  const planUrl = `${url}/api/plan`

  /** An account on the free tier with all scopes and a wallet: a new one, or this one. */
  async function openPayer(id?: string) {
    const { key, keyId, ...opened } = await doors.openAccount('free')
    const accountId = id ?? opened.accountId
    const move = 'update api_key set scopes = $2, account_id = $3 where id = $1'
    await db.query(move, [keyId, scopes, accountId])
    const wallet = await openWallet(db, USDC, 50)
    const init = (body: unknown) => posting(body, { authorization: `Bearer ${key}` })
    return {
      agent: agentWith(url, accountId, key),
      spent: async () => BigInt(USDC) * 1_000_000n - (await wallet.balance()),
      pay: (path: string, body: unknown) => wallet.fetch(`${url}${path}`, init(body)),
      buyPro: () => wallet.fetch(planUrl, init(pro)),
      /** A payment for what this asks, signed, in the header that carries it. */
      async sign(path: string, body: unknown) {
        const asked = await fetch(`${url}${path}`, init(body))
        if (asked.status !== 402) throw new Error(`${asked.status} ${await asked.text()}`)
        const quote = decoded(asked.headers.get('payment-required'))
        const payment = await wallet.client.createPaymentPayload(quote)
        return { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') }
      },
    }
  }

  return {
    ...doors,
    deps,
    log,
    local,
    openPayer,
    /** What settles from now on. */
    settleWith(next: Facilitator) {
      facilitator = next
    },
    sweep: () => resumeSettlements({ db, engine, log }, new Date(Date.now() + HOUR_MS)),
    async tierOf({ accountId }: Agent) {
      const { rows } = await db.query('select tier from account where id = $1', [accountId])
      return rows[0].tier as string
    },
    /** Both rows of each payment of an account. */
    async statesOf({ accountId }: Agent) {
      const { rows } = await db.query(
        `select p.state as payment, x.state as x402 from payment p
         join x402_payment x on x.id = p.id where p.account_id = $1 order by p.id`,
        [accountId],
      )
      return rows
    },
  }
}
export type WalletDoors = Awaited<ReturnType<typeof openWalletDoors>>
export type Payer = Awaited<ReturnType<WalletDoors['openPayer']>>
