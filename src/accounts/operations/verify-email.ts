import type { Services } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { transaction } from '../../platform/database/sql.ts'
import { repeatedSince } from '../rules/sign-in.ts'
import { updateVerified } from '../store/developers.ts'
import { selectOptionalUsedToken, updateTokenUsed } from '../store/mailed-tokens.ts'
import { hashToken } from '../store/token-secret.ts'

/**
 * Verifies an address and returns the developer's id; a second click returns the same. Throws
 * `link_already_used` for a token that cannot be used (any more).
 */
export const verifyEmail = ({ db }: Pick<Services, 'db'>, token: string, at: Date) =>
  transaction(db, async (tx) => {
    const hash = hashToken(token)
    const developerId = await updateTokenUsed(tx, hash, 'verify_email', at)
    if (developerId) {
      await updateVerified(tx, developerId, at)
      return developerId
    }
    const used = await selectOptionalUsedToken(tx, hash, 'verify_email', repeatedSince(at))
    if (!used) throw refuse('link_already_used')
    return used.developer_id
  })
