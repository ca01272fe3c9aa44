import type { Services } from '../../contract/operation.ts'
import { HOUR_MS } from '../../contract/rules/durations.ts'
import { transaction } from '../../platform/database/sql.ts'
import { throttles, VERIFY_HOURS } from '../rules/sign-in.ts'
import { insertMailedToken } from '../store/mailed-tokens.ts'
import { hashToken, newToken } from '../store/token-secret.ts'
import { verifyMail } from './account-mails.ts'
import { throttle } from './throttle.ts'

/**
 * Mails the link that verifies a developer's address; earlier links end. Throws `too_many_tries`.
 */
export async function sendVerification(
  { db, sendMail, settings }: Pick<Services, 'db' | 'sendMail' | 'settings'>,
  developer: { id: string; email: string },
  at: Date,
): Promise<void> {
  const { id: developerId, email: to } = developer
  await throttle(db, throttles.verifyToEmail, to, at)
  const token = newToken()
  const expiresAt = new Date(at.getTime() + VERIFY_HOURS * HOUR_MS)
  const kept = { hash: hashToken(token), purpose: 'verify_email' as const, at, expiresAt }
  await transaction(db, (tx) => insertMailedToken(tx, { ...kept, developerId }))
  await sendMail(verifyMail({ to, publicUrl: settings.publicUrl }, token))
}
