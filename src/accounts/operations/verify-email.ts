import { refuse } from '../../base/errors.ts'
import type { Services } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { repeatedSince } from '../rules/sign-in.ts'
import { updateVerified } from '../store/developers.ts'
import {
  selectOptionalUsableToken,
  selectOptionalUsedToken,
  updateTokenUsed,
} from '../store/mailed-tokens.ts'
import { hashToken } from '../store/token-secret.ts'
import { recordEverywhere, type Visit } from './sessions.ts'

/**
 * Verifies the signed-in developer's address; a click alone would not show that the mailbox's owner
 * opened the account. False, without effect, if the link is for another developer. A second click
 * returns the same. Throws `link_already_used` for a token that is not (or no longer) valid.
 */
export const verifyEmail = (
  { db }: Pick<Services, 'db'>,
  { token, developerId }: { token: string; developerId: string },
  visit: Visit,
): Promise<boolean> =>
  transaction(db, async (tx) => {
    const { at } = visit
    const hash = hashToken(token)
    if (await updateTokenUsed(tx, hash, 'verify_email', at, developerId)) {
      const isFirst = await updateVerified(tx, developerId, at)
      if (isFirst) await recordEverywhere(tx, developerId, visit, 'email.verified')
      return true
    }
    if (await selectOptionalUsableToken(tx, hash, 'verify_email', at)) return false
    const used = await selectOptionalUsedToken(tx, hash, 'verify_email', repeatedSince(at))
    if (used?.developer_id !== developerId) throw refuse('link_already_used')
    return true
  })
