import sql from 'sql-template-tag'
import { type Db, execute } from '../../platform/database/sql.ts'

const MAILS_KEPT = sql`interval '7 days'`

/** Erases expired sessions, links and throttles, and old mails of the development mailbox. */
export async function deleteEnded(db: Db, at: Date): Promise<void> {
  await execute(db)`delete from developer_session where expires_at <= ${at}`
  await execute(db)`delete from mailed_token where expires_at <= ${at}`
  await execute(db)`delete from try_window where ends_at <= ${at}`
  await execute(db)`delete from mail where created_at <= ${at}::timestamptz - ${MAILS_KEPT}`
}
