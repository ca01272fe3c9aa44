import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import type { SavedMethod } from '../rules/provider.ts'

const customerRow = z.object({
  account_id: z.uuid(),
  customer_id: z.string(),
  method_id: z.string().nullable(),
  setup_id: z.uuid().nullable(),
  setup_page_id: z.string().nullable(),
})
export type Customer = z.infer<typeof customerRow>

/** An account's customer at a provider. */
export const selectCustomer = (db: Db, accountId: string, provider: string) =>
  query.optionalRow(db, customerRow)`
    select account_id, customer_id, method_id, setup_id, setup_page_id from payment_customer
    where account_id = ${accountId} and provider = ${provider}`

/** The account to which this setup page belongs. */
export const selectCustomerOfSetup = (db: Db, setupId: string) =>
  query.optionalRow(db, customerRow)`
    select account_id, customer_id, method_id, setup_id, setup_page_id from payment_customer
    where setup_id = ${setupId}`

/** Stores an account's customer at a provider; an existing one stays. */
export const insertCustomer = (
  db: Db,
  accountId: string,
  provider: string,
  customerId: string,
  at: Date,
) =>
  query.execute(db)`
    insert into payment_customer (account_id, provider, customer_id, updated_at)
    values (${accountId}, ${provider}, ${customerId}, ${at}) on conflict do nothing`

const methodRow = z.object({ earlier: z.string().nullable() })

/**
 * Records the payment method that an account saved, and returns the previous one. With `pageId`,
 * closes that setup page; undefined if another page is now open, or the account has been deleted
 * or suspended.
 */
export const updateMethod = (
  tx: Db,
  accountId: string,
  provider: string,
  { method, pageId, at }: { method: SavedMethod; pageId: string | null; at: Date },
) =>
  query.optionalRow(tx, methodRow)`
    update payment_customer c set method_id = ${method.id}, updated_at = ${at},
      card_brand = coalesce(${method.card?.brand},
        case when c.method_id = ${method.id} then c.card_brand end),
      card_last4 = coalesce(${method.card?.last4},
        case when c.method_id = ${method.id} then c.card_last4 end),
      setup_id = case when ${pageId}::text is null then c.setup_id end,
      setup_page_id = case when ${pageId}::text is null then c.setup_page_id end
    from (
      select account_id, provider, method_id from payment_customer
      where account_id = ${accountId} and provider = ${provider}
        and (${pageId}::text is null or setup_page_id = ${pageId})
        and exists (select from account a where a.id = account_id
          and a.deleted_at is null and a.suspended_at is null) for update
    ) old
    where c.account_id = old.account_id and c.provider = old.provider
    returning old.method_id as earlier`

/** Records the page on which an account can save a payment method. */
export const updateSetup = (
  db: Db,
  accountId: string,
  provider: string,
  setup: { id: string; pageId: string },
  at: Date,
) =>
  query.execute(db)`
    update payment_customer set setup_id = ${setup.id}, setup_page_id = ${setup.pageId},
      updated_at = ${at}
    where account_id = ${accountId} and provider = ${provider}`
