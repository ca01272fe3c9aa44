import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { rowsBefore } from '../database/continue-pass.ts'
import { type Db, query } from '../database/sql.ts'
import { bytesOfToken } from '../sealing/one-spelling.ts'
import type { Sealer } from '../sealing/sealing.ts'

const mailRow = z.object({
  id: z.uuid(),
  recipient: z.string(),
  subject: z.string(),
  body: z.string(),
  attachment: z.object({ name: z.string(), type: z.string(), content: z.string() }).nullable(),
  created_at: z.date(),
})
export type DevMail = z.infer<typeof mailRow>

/** Inserts an email once; `subjectId` is what it concerns. */
export const insertMail = (db: Db, mail: DevMail, subjectId?: string) =>
  query.execute(db)`
    insert into mail (id, recipient, subject, body, attachment, subject_id, created_at)
    values (${mail.id}, ${mail.recipient}, ${mail.subject}, ${mail.body},
      ${mail.attachment && JSON.stringify(mail.attachment)}, ${subjectId}, ${mail.created_at})
    on conflict (id) do nothing`

/** The mailbox page's address with its token, which only this machine can print. */
export const devMailboxUrl = (url: string, sealer: Pick<Sealer, 'tokens'>): string =>
  `${url}/dev/mail?token=${sealer.tokens('dev-mail', '')[0]?.toString('base64url')}`

/** Whether a token opens the mailbox. */
export function opensDevMailbox(token: string, sealer: Pick<Sealer, 'tokens'>): boolean {
  const tokenBytes = bytesOfToken(token)
  return sealer
    .tokens('dev-mail', '')
    .some((right) => right.length === tokenBytes?.length && timingSafeEqual(right, tokenBytes))
}

/** Newest first. */
export const selectMails = (db: Db, limit: number) =>
  query.rows(db, mailRow)`
    select id, recipient, subject, body, attachment, created_at from mail
    order by created_at desc, id desc limit ${limit}`

/** Emails sent before a given instant. */
export const oldMails = (before: Date) => rowsBefore('mail', 'created_at', before, 'id')
