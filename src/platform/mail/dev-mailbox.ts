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

export const insertMail = (db: Db, { id, recipient, subject, body, created_at }: DevMail) =>
  execute(db)`
    insert into mail (id, recipient, subject, body, created_at)
    values (${id}, ${recipient}, ${subject}, ${body}, ${created_at})`

/** Newest first. */
export const selectMails = (db: Db, limit: number) =>
  queryRows(db, mailRow)`
    select id, recipient, subject, body, created_at from mail
    order by created_at desc, id desc limit ${limit}`
