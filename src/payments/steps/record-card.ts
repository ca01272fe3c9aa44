import { byNetwork, recordAudit } from '../../contract/audit.ts'
import type { Db } from '../../platform/database/sql.ts'
import { updateMethod } from '../store/customers.ts'

type SavedCard = {
  accountId: string
  provider: string
  methodId: string
  /** null if it was saved with a payment */
  pageId: string | null
  at: Date
}

/** Puts a card on file and records that, unless a payment saves the same card again. */
export async function recordCard(tx: Db, { accountId, provider, ...card }: SavedCard) {
  const { methodId, pageId, at } = card
  const row = await updateMethod(tx, accountId, provider, card)
  if (!row || (pageId === null && row.earlier === methodId)) return
  const action = row.earlier === null ? 'card.added' : 'card.replaced'
  const details = { with: pageId === null ? 'a payment' : 'a card page', provider }
  await recordAudit(tx, byNetwork(accountId, at), action, { details })
}
