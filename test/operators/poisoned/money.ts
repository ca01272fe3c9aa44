import { updateVerified } from '../../../src/accounts/store/developers.ts'
import { MAX_CHARGES } from '../../../src/payments/rules/dunning.ts'
import type { PaymentProvider } from '../../../src/payments/rules/provider.ts'
import { collectPayments } from '../../../src/payments/steps/collect.ts'
import { mailDunning } from '../../../src/payments/steps/mail-dunning.ts'
import type { Mail } from '../../../src/platform/mail/send-mail.ts'
import { openBrowser } from '../../support/developers.ts'
import { type Case, dueIn, insertAlone, type World } from './world.ts'

const id = 'gen_random_uuid()'

/** Three live accounts with verified owners, whose month of pro has been due since `issued`. */
async function debtors({ db, doors }: World, issued = 'now()') {
  const owners = []
  for (let n = 0; n < 3; n += 1) {
    const { accountId, developerId, email } = await openBrowser(doors)
    await updateVerified(db, developerId, new Date())
    const { rows } = await db.query(
      `insert into plan_period (id, account_id, month, kind, amount_minor, currency, created_at)
       values (${id}, $1, '2020-01-01', 'pro', 4900, 'USD', ${issued}) returning id`,
      [accountId],
    )
    owners.push({ accountId, email, dueId: String(rows[0].id) })
  }
  return owners
}

const old = `now() - interval '900 d'`

/** A provider that has no news about any payment or refund. */
const collecting =
  ({ db, log, call }: World) =>
  (at: Date) => {
    const provider = {
      name: 'local',
      readCharge: async ({ paymentId }: { paymentId: string }) => {
        await call(paymentId)
        return { state: 'processing' }
      },
      readRefund: async ({ refundId }: { refundId: string }) => {
        await call(refundId)
        return { state: 'processing' }
      },
    } as unknown as PaymentProvider
    return collectPayments({ db, log, provider, publicUrl: '', proMonthlyMinor: 4900 }, at)
  }

const payment = (accountId: string, state: string, providerId: string) => `
  insert into payment (id, account_id, purpose, amount_minor, currency, provider, provider_id,
    state, made_by, idempotency_key, is_surplus, refunded_minor, created_at, updated_at)
  values (${id}, '${accountId}', 'pro', 4900, 'USD', 'local', ${providerId}, '${state}',
    'customer', ${id}, ${state === 'succeeded'}, ${state === 'succeeded' ? 1 : 0}, ${old}, ${old})`

const dunning = (columns: string, of: { accountId: string; dueId: string }, values: string) => `
  insert into dunning (due_id, account_id, purpose, failures, reason, since, ${columns})
  values ('${of.dueId}', '${of.accountId}', 'pro', ${MAX_CHARGES}, 'card_declined', ${old},
    ${values})`

export const money = {
  payments: async (world) => {
    const { db } = world
    const ids: string[] = []
    for (const { accountId } of await debtors(world, old)) {
      await db.query(
        `insert into payment_customer (account_id, provider, customer_id, updated_at)
         values ($1::uuid, 'local', $1::uuid::text, ${old})`,
        [accountId],
      )
      ids.push(...(await insertAlone(db, payment(accountId, 'processing', 'null'), 'id')))
    }
    return { ids, poison: 'calls', run: collecting(world), left: world.unhelped(ids) }
  },
  refunds: async (world) => {
    const { db } = world
    const ids: string[] = []
    for (const { accountId } of await debtors(world, old)) {
      const paid = payment(accountId, 'succeeded', `'charge ${accountId}'`)
      const [paymentId] = await insertAlone(db, paid, 'id')
      const refund = `
        insert into refund (id, payment_id, amount_minor, state, note, idempotency_key, created_at,
          updated_at)
        values (${id}, '${paymentId}', 1, 'processing', 'n', ${id}, ${old}, ${old})`
      ids.push(...(await insertAlone(db, refund, 'id')))
    }
    return { ids, poison: 'calls', run: collecting(world), left: world.unhelped(ids) }
  },
  charges: async (world) => {
    const ids = (await debtors(world)).map(({ dueId }) => dueId)
    const isUncharged = 'not exists (select from dunning d where d.due_id = plan_period.id)'
    return {
      ids,
      poison: { table: 'dunning', before: 'insert', key: 'due_id' },
      run: collecting(world),
      left: dueIn(world.db, 'plan_period', 'id', ids, isUncharged),
    }
  },
  dunnings: async (world) => {
    const owners = await debtors(world, old)
    for (const owner of owners) {
      await world.db.query(dunning('next_at, notices', owner, `${old}, 0`))
    }
    const ids = owners.map(({ dueId }) => dueId)
    return {
      ids,
      poison: { table: 'dunning', before: 'update', key: 'due_id' },
      run: collecting(world),
      left: dueIn(world.db, 'dunning', 'due_id', ids, 'next_at is not null'),
    }
  },
  'carried-dunnings': async (world) => {
    const { db } = world
    const owners = await debtors(world, old)
    for (const owner of owners) {
      const [invoice] = await insertAlone(
        db,
        `insert into invoice (id, account_id, kind, sequence, number, month, currency,
           total_minor, credit_minor, paid_minor, status, issued_at, due_at)
         values (${id}, '${owner.accountId}', 'invoice', 1, 'INV-${owner.dueId}', '2020-01-01',
           'USD', 4900, 0, 0, 'open', ${old}, ${old})`,
        'id',
      )
      const line = `
        insert into invoice_line (invoice_id, "position", entry_id, kind, description,
          amount_minor, at)
        select '${invoice}', 1, id, 'pro', 'pro', 4900, ${old} from ledger_entry
        where source_id = '${owner.dueId}'`
      await insertAlone(db, line, 'invoice_id')
      await db.query(dunning('notices', owner, '0'))
    }
    const ids = owners.map(({ dueId }) => dueId)
    return {
      ids,
      poison: { table: 'dunning', before: 'update', key: 'due_id' },
      run: collecting(world),
      left: dueIn(db, 'dunning', 'due_id', ids),
    }
  },
  'provider-events': async (world) => {
    const { db } = world
    const key = 'provider, id'
    const ids = await insertAlone(
      db,
      `insert into provider_event (provider, id, type, received_at)
       select 'local', ${id}, 'paid', ${old} from generate_series(1, 3)`,
      key,
    )
    const poison = { table: 'provider_event', before: 'delete', key } as const
    return { ids, poison, run: collecting(world), left: dueIn(db, 'provider_event', key, ids) }
  },
  'dunning-mails': async (world) => {
    const { db, log, call } = world
    const owners = await debtors(world, old)
    for (const owner of owners) await db.query(dunning('notices', owner, '1'))
    const ids = owners.map(({ dueId }) => dueId)
    const sendMail = async ({ to }: Mail) =>
      call(owners.find(({ email }) => email === to)?.dueId ?? '')
    return {
      ids,
      poison: 'calls',
      run: (at) => mailDunning({ db, log, publicUrl: '', sendMail }, at),
      left: dueIn(db, 'dunning', 'due_id', ids, 'mailed < notices'),
    }
  },
} satisfies Record<string, Case>
