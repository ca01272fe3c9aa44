import { int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/**
 * Erases an account's personal data: its members, with address, password, sessions and links,
 * unless they belong to other accounts; its invitations; and the names of the account and its keys.
 * Fees, invoices and bookings keep its id. Safe to repeat.
 */
export const eraseAccount = (tx: Db, accountId: string, at: Date) =>
  query.execute(tx)`
    with members as (
      delete from member where account_id = ${accountId} returning developer_id
    ), invitations as (
      delete from invitation where account_id = ${accountId}
    ), developers as (
      delete from developer d using members m
      where d.id = m.developer_id and not exists (
        select from member o where o.developer_id = d.id and o.account_id <> ${accountId})
      returning d.email
    ), mails as (
      delete from mail where lower(recipient) in (select lower(email) from developers)
    ), keys as (
      update api_key set name = 'deleted' where account_id = ${accountId}
    )
    update account set name = 'deleted account', deleted_at = coalesce(deleted_at, ${at}),
      records_bodies = false
    where id = ${accountId}`

/** Locks an account, deleted or not; false if there is none. */
export const lockOptionalAccount = (tx: Db, id: string) =>
  query.affectsRow(tx)`select from account where id = ${id} for no key update`

/** Upcoming bookings, which continue after their account is deleted. */
export const countBookingsAhead = (db: Db, accountId: string) =>
  query.value(db, int)`
    select count(*) from booking
    where account_id = ${accountId} and status in ('pending', 'offered', 'confirmed')`
