import { z } from 'zod'
import { languages } from '../../base/languages.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const providerId = z.string().nullable()

/** The key of the message that an attempt sent; null while that is unknown. */
export const selectProviderId = (db: Db, attemptId: string) =>
  query.optionalValue(db, providerId)`
    select provider_id from notice_attempt where id = ${attemptId}`

/** The channel by which a message was sent. */
export const selectChannelOf = (
  db: Db,
  message: Partial<{ attemptId: string; providerId: string }>,
) =>
  query.optionalValue(db, z.uuid())`
    select channel_id from notice_attempt
    where id = ${message.attemptId} or provider_id = ${message.providerId}`

const latestRow = z.object({ id: z.uuid(), language: z.enum(languages) })

/** The last attempt since `since` on one of these channels. */
export const selectLatestAttempt = (db: Db, channelIds: readonly string[], since: Date) =>
  query.optionalRow(db, latestRow)`
    select t.id, coalesce(p.language, v.language, 'en') as language
    from notice_attempt t
    join notice n on n.id = t.notice_id
    join venue_person p on p.id = n.person_id
    join venue v on v.id = p.venue_id
    where t.channel_id = any(${channelIds}::uuid[]) and t.started_at > ${since}
    order by t.started_at desc, t.id limit 1`

/** Records that somebody wrote from these channels, which opens 24 hours for answers. */
export const updateHeardAt = (db: Db, channelIds: readonly string[], at: Date) =>
  query.execute(db)`
    update notice_channel set heard_at = greatest(heard_at, ${at})
    where id = any(${channelIds}::uuid[])`
