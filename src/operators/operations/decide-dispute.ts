import { settleDeposit } from '../../bookings/steps/deposits.ts'
import { selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import { selectDisputed, selectDisputes, updateDecision } from '../../bookings/store/disputes.ts'
import { appendToTimeline } from '../../bookings/store/timeline.ts'
import { stepOnce } from '../../bookings/store/transitions.ts'
import type { Services } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { recordAct } from '../steps/act.ts'
import type { Reasoned } from './act-on-account.ts'

type Deps = Pick<Services, 'db' | 'dryRunDeps'>

const SHOWN = 100
const DECIDED = 'This dispute has been decided.'

/** Disputes about deposits, open ones first. Across all accounts: for operators only. */
export const readDisputes = ({ db }: Pick<Deps, 'db'>) => selectDisputes(db, SHOWN)

/** The account and booking of a dispute; throws `page_not_found`. */
export async function readDisputed({ db }: Pick<Deps, 'db'>, id: string) {
  const found = await selectDisputed(db, id)
  if (!found) throw refuse('page_not_found', 'There is no such dispute.')
  return found
}

/**
 * Decides a dispute, once: the deposit stays kept, or is returned by an entry in the ledger. The
 * decision is in the timeline and in the audit log of the account. Throws `form_incomplete` if it
 * has been decided.
 */
export async function decideDispute(
  { db, dryRunDeps: { deposits } }: Deps,
  act: Reasoned,
  { id, decision }: { id: string; decision: 'kept' | 'returned' },
): Promise<void> {
  const { account_id: accountId, booking_id: bookingId } = await readDisputed({ db }, id)
  const { at, actor } = act.by
  const by = actor?.id ?? accountId
  const step = { accountId, bookingId, transitionId: `dispute:${id}`, at }
  const decided = await stepOnce(db, step, async (tx) => {
    const booking = await selectBookingForUpdate(tx, bookingId)
    const isNew = await updateDecision(tx, id, { decision, by, reason: act.reason, at })
    if (!isNew) throw refuse('form_incomplete', DECIDED)
    const events =
      decision === 'returned'
        ? await settleDeposit(tx, booking, { to: 'returned', reason: 'dispute' }, { deposits, at })
        : []
    const what =
      decision === 'returned'
        ? 'The dispute was decided: the deposit is returned.'
        : 'The dispute was decided: the deposit stays kept for the venue.'
    const why = 'An operator of the network compared what the account and the venue reported.'
    await appendToTimeline(tx, booking, { by: 'network', what, why }, at)
    const details = { booking_id: bookingId, decision }
    await recordAct(tx, act, 'deposit.decided', { id, details })
    return { result: { decision }, events }
  })
  if (decided.decision !== decision) throw refuse('form_incomplete', DECIDED)
}
