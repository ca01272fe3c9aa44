import type { Services } from '../../contract/define.ts'
import { transaction } from '../../platform/database/sql.ts'
import { tryLimits, VERIFY_HOURS } from '../rules/sign-in.ts'
import { insertMailedToken } from '../store/mailed-tokens.ts'
import { hashToken, newToken } from '../store/token-secret.ts'
import { verifyMail } from './account-mails.ts'
import { limitTries } from './limit-tries.ts'

const HOUR_MS = 3_600_000

/** Mails a developer the link that verifies the address; earlier links end. Throws `too_many_tries`. */
export async function sendVerification(
  { db, sendMail, settings }: Pick<Services, 'db' | 'sendMail' | 'settings'>,
  developer: { id: string; email: string },
  at: Date,
): Promise<void> {
  const { id: developerId, email: to } = developer
  await limitTries(db, tryLimits.verifyToEmail, to, at)
  const token = newToken()
  const expiresAt = new Date(at.getTime() + VERIFY_HOURS * HOUR_MS)
  const kept = { hash: hashToken(token), purpose: 'verify_email' as const, at, expiresAt }
  await transaction(db, (tx) => insertMailedToken(tx, { ...kept, developerId }))
  await sendMail(verifyMail({ to, publicUrl: settings.publicUrl }, token))
}
