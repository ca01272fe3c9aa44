import { depositNote } from '../../availability/rules/deposit.ts'
import { zonedMinute } from '../../base/local-time.ts'
import { DEMO_PAYER } from '../../base/money.ts'
import type { Booking } from '../../contract/public.ts'

type Costly = Pick<
  Booking,
  'status' | 'timezone' | 'cancel_until' | 'fee' | 'deposit' | 'is_demo' | 'typical_spend'
>
type Noted = Pick<Costly, 'deposit' | 'is_demo' | 'fee'>

const isFree = ({ fee }: Pick<Costly, 'fee'>) => fee.charged_to === DEMO_PAYER

/** What a venue asks of its guest, or that a demo venue asks nothing, for `next`. */
export function venueNotes({ is_demo, deposit, fee }: Noted): string[] {
  if (!is_demo) return deposit ? [depositNote(deposit)] : []
  const money = isFree({ fee }) ? 'nothing is charged' : 'the fee is paid in test money'
  const taken = deposit ? `, nor is the ${deposit.kind} of ${deposit.text} taken` : ''
  return [`Demo venue: no one expects your user, and ${money}${taken}.`]
}

/** What the guest is expected to spend, and the fee for confirming a hold. */
export function holdNotes({ typical_spend, fee }: Costly): string[] {
  const isCharged = !isFree({ fee }) && fee.amount_minor > 0
  return [
    ...spendNote(typical_spend),
    ...(isCharged ? [`Confirming costs ${fee.text}, charged to ${fee.charged_to}.`] : []),
  ]
}

const spendNote = (spend: Costly['typical_spend'], before?: string) =>
  spend ? [`Expected spend at the venue: ${spend.text}${before ? `, before ${before}` : ''}.`] : []

/** Until when cancelling is free, in words; or that it no longer is. */
export function cancelNotes(booking: Costly, at: Date): string[] {
  const { cancel_until, timezone, fee } = booking
  if (isFree(booking) || fee.amount_minor === 0 || cancel_until === null) return []
  const until = zonedMinute(timezone, new Date(cancel_until))
  return [
    isLate(booking, at)
      ? `It can no longer be cancelled free of charge, which ended at ${until}: cancelling will ` +
        `cost ${fee.text}.`
      : `Cancelling is free until ${until}, and costs ${fee.text} after that.`,
  ]
}

/** The same, if it is too late to cancel free of charge. */
export const lateNotes = (booking: Costly, at: Date): string[] =>
  isLate(booking, at) ? cancelNotes(booking, at) : []

const isLate = ({ cancel_until }: Costly, at: Date) =>
  cancel_until !== null && new Date(cancel_until) < at

type Before = { typical_spend?: string | undefined; fee?: string | undefined }

/** What a change costs; `isDry`: what it would cost. */
export function changeNotes(booking: Costly, from: Before, isDry: boolean, at: Date): string[] {
  const { typical_spend, fee, status } = booking
  const verb = isDry ? 'would be' : 'is now'
  const fees =
    from.fee && !isFree(booking) ? [`The fee ${verb} ${fee.text}, before ${from.fee}.`] : []
  return [
    ...(from.typical_spend ? spendNote(typical_spend, from.typical_spend) : []),
    ...(status === 'held' ? holdNotes({ ...booking, typical_spend: undefined }) : fees),
    ...venueNotes(booking),
    ...lateNotes(booking, at),
  ]
}
