import { z } from 'zod'
import { languages } from '../../base/languages.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const settingsRow = z.object({
  /** null: English */
  language: z.enum(languages).nullable().catch(null),
  /** local times, as in 20:00; null: none */
  list_at: z.string().nullable(),
  quiet_from: z.string().nullable(),
  quiet_until: z.string().nullable(),
})
/** A venue's language, the time of its list of tomorrow, and its quiet hours. */
export type NoticeSettings = z.infer<typeof settingsRow>

export const selectNoticeSettings = (db: Db, venueId: string) =>
  query.row(db, settingsRow)`
    select language, to_char(list_at, 'HH24:MI') as list_at,
      to_char(quiet_from, 'HH24:MI') as quiet_from, to_char(quiet_until, 'HH24:MI') as quiet_until
    from venue where id = ${venueId}`

export const updateNoticeSettings = (tx: Db, venueId: string, settings: NoticeSettings) =>
  query.execute(tx)`
    update venue set language = ${settings.language}, list_at = ${settings.list_at}::time,
      quiet_from = ${settings.quiet_from}::time, quiet_until = ${settings.quiet_until}::time
    where id = ${venueId}`
