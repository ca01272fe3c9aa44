import { z } from 'zod'
import { type Db, execute, queryRows } from '../database/sql.ts'

const mailRow = z.object({
  id: z.uuid(),
  recipient: z.string(),
  subject: z.string(),
  body: z.string(),
  created_at: z.date(),
})
export type DevMail = z.infer<typeof mailRow>

type NewMail = { id: string; recipient: string; subject: string; body: string; at: Date }

/** Puts a mail into the development mailbox. */
export async function insertMail(db: Db, mail: NewMail): Promise<void> {
  const { id, recipient, subject, body, at } = mail
  await execute(db)`
    insert into mail (id, recipient, subject, body, created_at)
      values (${id}, ${recipient}, ${subject}, ${body}, ${at})`
}

/** The newest mails of the development mailbox, newest first. */
export async function selectMails(db: Db, limit: number): Promise<DevMail[]> {
  return queryRows(db, mailRow)`
    select id, recipient, subject, body, created_at from mail
    order by created_at desc, id desc limit ${limit}`
}
