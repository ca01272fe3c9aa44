import sql from 'sql-template-tag'
import { z } from 'zod'
import { uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { channelKinds } from '../rules/channel.ts'
import { type MessageStatus, messageStatuses } from '../rules/message-status.ts'

/** Begins an attempt; undefined if another process has begun it. */
export const insertOptionalAttempt = (
  db: Db,
  { noticeId, channelId, at }: { noticeId: string; channelId: string; at: Date },
) =>
  query.optionalValue(db, uuid)`
    insert into notice_attempt (id, notice_id, channel_id, started_at, status, status_at)
    values (gen_random_uuid(), ${noticeId}, ${channelId}, ${at}, 'started', ${at})
    on conflict do nothing returning id`

/** Begins an attempt again; undefined if its status is no longer of `before`. */
export const claimOptionalAttempt = (
  db: Db,
  { id, before, at }: { id: string; before: Date; at: Date },
) =>
  query.optionalValue(db, uuid)`
    update notice_attempt set status = 'started', status_at = ${at}, provider_id = null,
      failure = null, is_temporary = false
    where id = ${id} and status in ('started', 'failed') and status_at = ${before} returning id`

/** Lets an attempt be sent again, although it was before, because this time it was not sent. */
export const putBack = (db: Db, id: string) =>
  query.execute(db)`
    update notice_attempt set status_at = started_at where id = ${id} and status = 'started'`

/** Forgets an attempt whose message was not sent. */
export const deleteUnsent = (db: Db, id: string) =>
  query.execute(db)`delete from notice_attempt where id = ${id} and status = 'started'`

/** An attempt, by its own id or by the provider's id of its message. */
export type AttemptRef = { attemptId: string } | { providerId: string }

const attemptRow = z.object({
  id: z.uuid(),
  notice_id: z.uuid(),
  booking_id: z.uuid().nullable(),
  channel_kind: z.enum(channelKinds),
})

/** An attempt and what it is about; undefined if it was erased. */
export const selectOptionalAttempt = (db: Db, ref: AttemptRef) =>
  query.optionalRow(db, attemptRow)`
    select t.id, t.notice_id, n.booking_id, c.kind as channel_kind
    from notice_attempt t join notice n on n.id = t.notice_id
      join notice_channel c on c.id = t.channel_id
    where ${
      'attemptId' in ref ? sql`t.id = ${ref.attemptId}` : sql`t.provider_id = ${ref.providerId}`
    }`

/** Attempts by a channel that nothing reported to have arrived, of notices that have not ended. */
export const selectUnreported = (db: Db, channelId: string) =>
  query.values(db, uuid)`
    select t.id from notice_attempt t join notice n on n.id = t.notice_id
    where t.channel_id = ${channelId} and t.status in ('started', 'sent') and n.ended_at is null`

const statusColumn = z.enum(messageStatuses)

/** Locks an attempt until the transaction ends; returns its status. */
export const lockOptionalStatus = (tx: Db, id: string) =>
  query.optionalValue(tx, statusColumn)`
    select status from notice_attempt where id = ${id} for update`

/** What became of a message; `isTemporary`: it failed for a reason that may pass. */
export type NewStatus = {
  status: MessageStatus
  at: Date
  failure?: string | undefined
  isTemporary?: boolean | undefined
}

/** Stores the status of an attempt. */
export const updateStatus = (tx: Db, id: string, status: NewStatus) =>
  query.execute(tx)`
    update notice_attempt set status = ${status.status}, status_at = ${status.at},
      failure = ${status.failure || null}, is_temporary = ${status.isTemporary ?? false}
    where id = ${id}`

/** Stores the provider's id of an attempt's message. */
export const updateProviderId = (tx: Db, id: string, providerId: string) =>
  query.execute(tx)`update notice_attempt set provider_id = ${providerId} where id = ${id}`
