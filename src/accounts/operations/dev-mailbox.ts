import type { Services } from '../../contract/operation.ts'
import { type DevMail, selectMails } from '../../platform/mail/dev-mailbox.ts'

export type { DevMail } from '../../platform/mail/dev-mailbox.ts'

const MAX_SHOWN = 20

/** The newest mails that a development machine without a mail server has stored. */
export const readDevMailbox = ({ db }: Pick<Services, 'db'>): Promise<DevMail[]> =>
  selectMails(db, MAX_SHOWN)
