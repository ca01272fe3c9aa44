import sql from 'sql-template-tag'
import { z } from 'zod'
import { boolean } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { localCards } from '../rules/cards.ts'

const localCharge = z.object({
  id: z.uuid(),
  /** for a page, the secret in its address */
  idempotency_key: z.string(),
  customer_id: z.string(),
  amount_minor: z.int().nullable(),
  currency: z.string().nullable(),
  description: z.string(),
  return_url: z.string().nullable(),
  card: z.enum(localCards).nullable(),
  state: z.enum(['open', 'closed', 'succeeded', 'failed', 'authorized']),
  silent_until: z.date().nullable(),
})
export type LocalCharge = z.infer<typeof localCharge>

type NewCharge = Pick<
  LocalCharge,
  'id' | 'idempotency_key' | 'customer_id' | 'description' | 'state'
> & {
  amount_minor?: number | undefined
  currency?: string | undefined
  return_url?: string | undefined
  card?: LocalCharge['card'] | undefined
  silent_until?: Date | null
  at: Date
}

/** Adds a page or a charge, but only once per id and key. */
export const insertLocalCharge = (db: Db, charge: NewCharge) =>
  query.execute(db)`
    insert into local_charge (id, idempotency_key, customer_id, amount_minor, currency,
      description, return_url, card, state, silent_until, created_at)
    values (${charge.id}, ${charge.idempotency_key}, ${charge.customer_id},
      ${charge.amount_minor}, ${charge.currency}, ${charge.description}, ${charge.return_url},
      ${charge.card}, ${charge.state}, ${charge.silent_until}, ${charge.at})
    on conflict do nothing`

const columns = sql`id, idempotency_key, customer_id, amount_minor, currency, description,
  return_url, card, state, silent_until`

export const selectLocalCharge = (db: Db, id: string) =>
  query.optionalRow(db, localCharge)`select ${columns} from local_charge where id = ${id}`

/**
 * The page at a secret address. It is closed if its account was deleted or suspended, or if it is
 * for a card and no longer the account's latest.
 */
export const selectLocalPage = (db: Db, key: string) =>
  query.optionalRow(db, localCharge)`
    select id, idempotency_key, customer_id, amount_minor, currency, description, return_url, card,
      case when state = 'open' and not exists (
        select from payment_customer c join account a on a.id = c.account_id
        where c.provider = 'local' and c.customer_id = local_charge.customer_id
          and (c.setup_id = local_charge.id or amount_minor is not null)
          and a.deleted_at is null and a.suspended_at is null
      ) then 'closed' else state end as state, silent_until
    from local_charge where idempotency_key = ${key} and return_url is not null`

/** Decides the outcome of an open page; false if it is not open. */
export const updateLocalCharge = async (
  db: Db,
  id: string,
  to: Pick<LocalCharge, 'card' | 'state' | 'silent_until'>,
) =>
  (await query.execute(db)`
    update local_charge set card = ${to.card}, state = ${to.state},
      silent_until = ${to.silent_until}
    where id = ${id} and state = 'open'`) === 1

/** Captures or closes an authorised charge, once. */
export const finishLocalCharge = (
  db: Db,
  id: string,
  state: 'succeeded' | 'closed',
  amountMinor: number,
) =>
  query.execute(db)`
    update local_charge set state = ${state}, amount_minor = ${amountMinor}
    where id = ${id} and state = 'authorized'`

/** Refunds part of a charge, only once per key; false if that exceeds the charge. */
export const refundLocalCharge = (
  db: Db,
  refund: { id: string; key: string; chargeId: string; amountMinor: number; at: Date },
) =>
  query.value(db, boolean)`
    with noted as (
      insert into local_charge (id, idempotency_key, customer_id, amount_minor, currency,
        description, state, created_at)
      select ${refund.id}, ${refund.key}, customer_id, ${refund.amountMinor}, currency, 'refund',
        'succeeded', ${refund.at}
      from local_charge where id = ${refund.chargeId} and state = 'succeeded'
        and refunded_minor + ${refund.amountMinor} <= amount_minor
      on conflict (idempotency_key) do nothing returning id
    ), given as (
      update local_charge set refunded_minor = refunded_minor + ${refund.amountMinor}
      where id = ${refund.chargeId} and exists (select from noted)
    )
    select exists (select from noted)
      or exists (select from local_charge where idempotency_key = ${refund.key}) as refunded`
