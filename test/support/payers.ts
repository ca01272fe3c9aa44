import { scopes } from '../../src/base/scopes.ts'
import { type Agent, openAgent } from './agent.ts'
import type { Service } from './network.ts'
import type { openStripeSimulation, StripeCard } from './stripe.ts'

type Simulation = Awaited<ReturnType<typeof openStripeSimulation>>

/** Accounts that pay by card in a service, and what they have paid. */
export function createPayers(service: Service, stripe: Simulation) {
  /** An account without pro, and a card that behaves like this if it saves one. */
  async function openPayer(card?: StripeCard): Promise<Agent> {
    const agent = await openAgent(service.db, service.url, 'free')
    const { accountId } = agent
    await service.db.query('update api_key set scopes = $2 where account_id = $1', [
      accountId,
      scopes,
    ])
    if (card) await saveCard(agent, card)
    return agent
  }

  async function saveCard(agent: Agent, card: StripeCard) {
    const { body } = await agent.post('/api/payments/card', {})
    stripe.use(body.card_page_url, card)
    await agent.get('/api/payments')
  }

  const payments = async ({ accountId }: Agent) =>
    (await service.db.query('select * from payment where account_id = $1 order by id', [accountId]))
      .rows
  const states = async (agent: Agent) => (await payments(agent)).map(({ state }) => state)
  /** What an account’s ledger says in the end, without accounts at zero. */
  async function balances({ accountId }: Agent) {
    const { rows } = await service.db.query(
      `select side, sum(minor)::int as minor from (
         select debit as side, amount_minor as minor from ledger_entry where account_id = $1
         union all select credit, -amount_minor from ledger_entry where account_id = $1) e
       group by side having sum(minor) <> 0 order by side`,
      [accountId],
    )
    return Object.fromEntries(rows.map(({ side, minor }) => [side, minor]))
  }
  /** The card on file, as the provider names it. */
  async function methodOf({ accountId }: Agent): Promise<string> {
    const { rows } = await service.db.query(
      'select method_id from payment_customer where account_id = $1',
      [accountId],
    )
    return rows[0].method_id
  }

  /** From now on, nothing is spent at these venues, so that their fee is 0. */
  async function dropSpend(venueIds: string[]) {
    await service.db.query('alter table service_rules disable trigger immutable')
    await service.db.query(
      `update service_rules set rules = jsonb_set(rules, '{spend_per_guest_minor}', '0')
       where service_id in (select id from service where venue_id = any($1))`,
      [venueIds],
    )
    await service.db.query('alter table service_rules enable trigger immutable')
  }

  return { methodOf, dropSpend, openPayer, saveCard, payments, states, balances }
}
