import { byNetwork, recordAudit } from '../../contract/audit.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { SavedMethod } from '../rules/provider.ts'
import { updateMethod } from '../store/customers.ts'

type CardToRecord = {
  accountId: string
  provider: string
  method: SavedMethod
  /** null if it was saved with a payment */
  pageId: string | null
  at: Date
}

/** Puts a card on file and records that, unless a payment saves the same card again. */
export async function recordCard(tx: Db, { accountId, provider, ...card }: CardToRecord) {
  const { method, pageId } = card
  const row = await updateMethod(tx, accountId, provider, card)
  if (!row || (pageId === null && row.earlier === method.id)) return
  const action = row.earlier === null ? 'card.added' : 'card.replaced'
  const details = { with: pageId === null ? 'a payment' : 'a card page', provider }
  await recordAudit(tx, byNetwork(accountId, card.at), action, { details })
}
