import { refuse } from '../model/errors.ts'
import { updateVerified } from '../store/developers.ts'
import { updateTokenUsed } from '../store/mailed-tokens.ts'
import { transaction } from '../store/sql.ts'
import { hashToken } from '../store/token-secret.ts'
import type { Services } from './define.ts'

/** Notes that an address answers mails; throws `link_spent` for a token that is not good (any more). */
export async function verifyEmail(
  { db }: Pick<Services, 'db'>,
  token: string,
  at: Date,
): Promise<void> {
  await transaction(db, async (tx) => {
    const developerId = await updateTokenUsed(tx, hashToken(token), 'verify_email', at)
    if (!developerId) throw refuse('link_spent')
    await updateVerified(tx, developerId, at)
  })
}
