import { depositFor } from '../../availability/rules/deposit.ts'
import type { Choice } from '../../availability/steps/evaluate-offerings.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { BookingHooks } from '../hooks.ts'

type Guaranteed = {
  /** null for a wallet that has no account yet */
  accountId: string | null
  slotTime: string
  partySize: number
}

/**
 * Why an account cannot book this: its venue asks for a guarantee, and there is no way to charge
 * the account if it is kept. Undefined if it can. At demo venues nothing is ever charged.
 */
export async function whyNotGuaranteed(
  db: Db,
  { offering }: Choice,
  { accountId, slotTime, partySize }: Guaranteed,
  { whyNotChargeable }: Pick<BookingHooks, 'whyNotChargeable'>,
): Promise<RefusalData | undefined> {
  const deposit = depositFor(offering.rules.deposits, slotTime, partySize)
  if (deposit?.kind !== 'guarantee' || offering.is_demo) return undefined
  return whyNotChargeable(db, accountId)
}
