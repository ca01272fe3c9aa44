import type { Services } from '../../contract/operation.ts'
import { throttles } from '../rules/sign-in.ts'
import { changedMail } from './account-mails.ts'
import { throttle } from './throttle.ts'

/**
 * Mails an address that its password was changed. Throws `too_many_tries` when it was mailed too
 * often.
 */
export async function notifyPasswordChanged(
  { db, sendMail, settings }: Pick<Services, 'db' | 'sendMail' | 'settings'>,
  email: string,
  at: Date,
): Promise<void> {
  await throttle(db, throttles.changedToEmail, email, at)
  await sendMail(changedMail({ to: email, publicUrl: settings.publicUrl }))
}
