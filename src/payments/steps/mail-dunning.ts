import { runPass } from '../../platform/database/continue-pass.ts'
import { mailEach } from '../../platform/mail/mail-each.ts'
import type { SendMail } from '../../platform/mail/send-mail.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { dunningMail } from '../rules/dunning-mail.ts'
import { selectBillingEmails } from '../store/billing-emails.ts'
import { selectDue } from '../store/dues.ts'
import { type Dunning, selectUnmailed, updateMailed } from '../store/dunning.ts'
import type { PaymentDeps } from './deps.ts'

export type MailDeps = Pick<PaymentDeps, 'db' | 'publicUrl' | 'log'> & { sendMail: SendMail }

/**
 * Emails owners and billing members about failed payments. An email that no server accepts is
 * resent in the next pass, with the same id.
 */
export const mailDunning = (deps: MailDeps, at: Date): Promise<Pass> =>
  runPass(deps, 'dunning-mails', {
    select: (page) => selectUnmailed(deps.db, page),
    idOf: ({ due_id }) => due_id,
    help: (dunning) => mailOne(deps, dunning, at),
  })

async function mailOne(deps: MailDeps, dunning: Dunning, at: Date) {
  const { db, publicUrl, log } = deps
  const { due_id, account_id, notices } = dunning
  const due = await selectDue(db, due_id)
  const mail = due && dunningMail(due, dunning, publicUrl)
  const emails = await selectBillingEmails(db, account_id)
  if (mail) await mailEach(deps, emails, { about: `${due_id} ${notices}`, mail, at })
  await updateMailed(db, due_id, notices)
  log.info({ account_id, due_id, mails: emails.length }, 'an email about a failed payment was sent')
}
