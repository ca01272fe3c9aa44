import type { Services } from '../../contract/define.ts'
import { tryLimits } from '../rules/sign-in.ts'
import { changedMail } from './account-mails.ts'
import { limitTries } from './limit-tries.ts'

/**
 * Mails the owner of an address that its password was changed, in case that was somebody else. Throws `too_many_tries` when that was
 * mailed often enough.
 */
export async function tellPasswordChanged(
  { db, sendMail, settings }: Pick<Services, 'db' | 'sendMail' | 'settings'>,
  email: string,
  at: Date,
): Promise<void> {
  await limitTries(db, tryLimits.changedToEmail, email, at)
  await sendMail(changedMail({ to: email, publicUrl: settings.publicUrl }))
}
