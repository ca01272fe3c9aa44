import { scopes } from '../../src/base/scopes.ts'
import { openPayments } from '../../src/compose/open-payments.ts'
import { readConfig } from '../../src/config/config.ts'
import { balancesOf } from '../../src/ledger/store/balances.ts'
import type { LocalCard } from '../../src/payments/rules/cards.ts'
import { collectInSandbox, collectPayments } from '../../src/payments/steps/collect.ts'
import { type PaymentDeps, sandboxPayments } from '../../src/payments/steps/deps.ts'
import { type Agent, agentWith } from './agent.ts'
import { readableLog } from './lines.ts'
import { type Holder, openDoors } from './open-doors.ts'
import { openStripeSimulation, type StripeCard, WEBHOOK_SECRET } from './stripe.ts'

export const paymentProviders = ['local', 'stripe'] as const

/** A customer uses a page of the local provider, at the address of these doors. */
export async function useLocalPage(url: string, pageUrl: string, card: LocalCard) {
  const { origin, pathname } = new URL(pageUrl)
  const body = new URLSearchParams({ card })
  const answer = await fetch(url + pathname, {
    ...{ method: 'POST', redirect: 'manual', headers: { origin }, body },
  })
  if (answer.status >= 400) throw new Error(`the page answers ${answer.status}`)
}

/** Doors of a network that collects payments, with a provider that the test can control. */
export async function openPaymentDoors(
  provider: (typeof paymentProviders)[number],
  more: Record<string, string> = {},
) {
  const stripe = await openStripeSimulation()
  const settings =
    provider === 'local'
      ? { PAYMENTS: 'local' }
      : {
          PAYMENTS: 'stripe',
          STRIPE_SECRET_KEY: 'sk_test_simulation',
          STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
          STRIPE_API_URL: stripe.url,
        }
  const doors = await openDoors({ ...settings, ...more })
  const { log } = readableLog()
  const config = readConfig({ NODE_ENV: 'test', ...settings })
  const publicUrl = 'http://127.0.0.1:3000'
  const deps = await openPayments(config, { db: doors.db, publicUrl, log })
  if (!deps) throw new Error('no payments')

  /** The customer uses a provider's page; a page of ours has the address of the doors. */
  async function use(pageUrl: string, card: StripeCard) {
    if (provider === 'stripe') return void stripe.use(pageUrl, card)
    await useLocalPage(doors.url, pageUrl, card === 'action' ? 'declined' : card)
  }

  async function openAgent(tier: 'free' | 'pro' = 'free'): Promise<Agent & Holder> {
    const holder = await doors.openAccount(tier)
    await doors.db.query('update api_key set scopes = $2 where id = $1', [holder.keyId, scopes])
    return { ...agentWith(doors.url, holder.accountId, holder.key), ...holder }
  }

  return {
    ...doors,
    deps: deps as PaymentDeps,
    stripe,
    use,
    openAgent,
    /** Runs one collection of what is due at this time. */
    collect: (at: Date) => collectPayments({ ...deps, proMonthlyMinor: 4900 }, at),
    /** Runs one collection of what sandboxes owe. */
    collectTest: (at: Date) => collectInSandbox(sandboxPayments(deps), at),
    /** The account saves a card that behaves like this. */
    async leaveCard(agent: Agent, card: StripeCard) {
      const { body } = await agent.post('/api/payments/card', {})
      await use(body.card_page_url, card)
      await agent.get('/api/payments')
    },
    /** The USD balances of an account's ledger accounts, without those at zero. */
    async balances(accountId: string) {
      const found = await balancesOf(doors.db, accountId)
      return Object.fromEntries(
        found
          .filter(({ balance_minor }) => balance_minor !== 0)
          .map(({ account, balance_minor }) => [account, balance_minor]),
      )
    },
    async tierOf(accountId: string) {
      const { rows } = await doors.db.query('select tier from account where id = $1', [accountId])
      return rows[0].tier as string
    },
    async close() {
      await doors.close()
      await stripe.close()
    },
  }
}
export type PaymentDoors = Awaited<ReturnType<typeof openPaymentDoors>>
