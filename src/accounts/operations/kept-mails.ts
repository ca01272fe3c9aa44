import type { Services } from '../../contract/define.ts'
import { type MailRow, selectMails } from '../../platform/mail/mails.ts'

const MOST_SHOWN = 20

/** A mail that a development machine without a mail server has kept. */
export type KeptMail = MailRow

/** The newest of them, the newest first. */
export const readKeptMails = ({ db }: Pick<Services, 'db'>): Promise<KeptMail[]> =>
  selectMails(db, MOST_SHOWN)
