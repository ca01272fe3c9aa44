import { createHash } from 'node:crypto'
import { runPass } from '../../platform/database/continue-pass.ts'
import type { SendMail } from '../../platform/mail/send-mail.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { dunningMail } from '../rules/dunning-mail.ts'
import { selectBillingEmails } from '../store/billing-emails.ts'
import { selectDue } from '../store/dues.ts'
import { type Dunning, selectUnmailed, updateMailed } from '../store/dunning.ts'
import type { PaymentDeps } from './deps.ts'

export type MailDeps = Pick<PaymentDeps, 'db' | 'publicUrl' | 'log'> & { sendMail: SendMail }

/**
 * Mails owners and billing members about payments that failed. A mail that no server takes is sent
 * in the next pass, under the same id.
 */
export const mailDunning = (deps: MailDeps): Promise<Pass> =>
  runPass(deps, 'dunning-mails', {
    select: (after, limit) => selectUnmailed(deps.db, { after, limit }),
    idOf: ({ due_id }) => due_id,
    help: (dunning) => mailOne(deps, dunning),
  })

async function mailOne(deps: MailDeps, dunning: Dunning) {
  const { db, publicUrl, log, sendMail } = deps
  const { due_id, account_id, notices } = dunning
  const due = await selectDue(db, due_id)
  const mail = due && dunningMail(due, dunning, publicUrl)
  const emails = await selectBillingEmails(db, account_id)
  if (mail) {
    for (const to of emails) await sendMail({ to, id: mailId(due_id, notices, to), ...mail })
  }
  await updateMailed(db, due_id, notices)
  log.info({ account_id, due_id, mails: emails.length }, 'a failed payment was mailed about')
}

/** A UUID of version 8, made of what identifies the mail: a retry has the id of the first try. */
function mailId(...parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(parts.join(' ')).digest('hex')
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...groups, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
