import { rowsBefore } from '../database/continue-pass.ts'
import { type Db, query } from '../database/sql.ts'
import { uuidOf } from '../database/uuid-of.ts'
import { AddressRefused, type Mail, type SendMail } from './send-mail.ts'

/**
 * Sends an email to each address. A failing address does not stop the others; the call then throws,
 * and a repeated call for the same email skips those who already have it. Permanently refused
 * addresses are not retried.
 */
export async function mailEach(
  { db, sendMail }: { db: Db; sendMail: SendMail },
  addresses: readonly string[],
  { about, mail, at }: { about: string; mail: Pick<Mail, 'subject' | 'text'>; at: Date },
): Promise<void> {
  const failures: unknown[] = []
  // A retry has the same id as the first attempt.
  const idOf = (address: string) => uuidOf(`${about} ${address}`)
  for (const to of addresses) {
    const id = idOf(to)
    if (await updateSent(db, id, at)) continue
    try {
      await sendMail({ to, id, ...mail })
      await insertSent(db, id, at)
    } catch (error) {
      failures.push(error)
      if (error instanceof AddressRefused) await insertSent(db, id, at)
    }
  }
  if (failures.length > 0) {
    throw new Error(`${failures.length} of ${addresses.length} mails: ${failures[0]}`)
  }
  await query.execute(db)`delete from sent_mail where id = any(${addresses.map(idOf)}::uuid[])`
}

/** Whether an email was sent; remembered while the call tries its other addresses. */
const updateSent = (db: Db, id: string, at: Date) =>
  query.affectsRow(db)`update sent_mail set sent_at = ${at} where id = ${id}`

const insertSent = (db: Db, id: string, at: Date) =>
  query.execute(
    db,
  )`insert into sent_mail (id, sent_at) values (${id}, ${at}) on conflict do nothing`

/** Emails that still have recipients and were last attempted before `before`. */
export const oldSentMails = (before: Date) => rowsBefore('sent_mail', 'sent_at', before, 'id')
