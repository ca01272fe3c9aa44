import { changedMail } from './account-mails.ts'
import type { Services } from './define.ts'

/** Mails the owner of an address that its password was changed, in case that was somebody else. */
export const tellPasswordChanged = (
  { sendMail, settings }: Pick<Services, 'sendMail' | 'settings'>,
  email: string,
): Promise<void> => sendMail(changedMail({ to: email, publicUrl: settings.publicUrl }))
