import { depositNote } from '../../availability/rules/deposit.ts'
import { zonedMinute } from '../../base/local-time.ts'
import { CARD_PAYER, DEMO_PAYER, TEST_PAYER } from '../../base/money.ts'
import type { Booking } from '../../contract/public.ts'

type Term = 'cancel_until' | 'fee' | 'deposit' | 'is_demo' | 'typical_spend'
type Costly = Pick<Booking, 'status' | 'timezone' | Term>
type Venue = Pick<Costly, 'fee' | 'deposit' | 'is_demo'>

const isCharged = ({ fee }: Pick<Costly, 'fee'>) =>
  fee.charged_to !== DEMO_PAYER && fee.amount_minor > 0

/** What a venue asks of its guest, or that a demo venue asks nothing, for `next`. */
export function venueNotes({ is_demo, deposit, fee }: Venue): string[] {
  if (!is_demo) return deposit ? [depositNote(deposit)] : []
  const isFree = fee.charged_to === DEMO_PAYER
  const money = isFree ? 'nothing is charged' : 'the fee is paid in test money'
  const taken = deposit ? `, nor is the ${deposit.kind} of ${deposit.text} taken` : ''
  return [`Demo venue: no one expects your user, and ${money}${taken}.`]
}

/** What the guest is expected to spend, and the fee of a hold, unless a card pays it. */
export const holdNotes = ({ typical_spend, fee }: Pick<Costly, Term>): string[] => [
  ...(typical_spend ? [`Expected spend at the venue: ${typical_spend.text}.`] : []),
  ...(isCharged({ fee }) && fee.charged_to !== CARD_PAYER
    ? [`Confirming costs ${fee.text}, charged to ${fee.charged_to}.`]
    : []),
]

/** Until when cancelling is free; or that it no longer is, which alone is said to `onlyLate`. */
export function cancelNotes(booking: Costly, at: Date, onlyLate = false): string[] {
  const { cancel_until, timezone, fee } = booking
  const cost = fee.charged_to === TEST_PAYER ? `${fee.text} in test money` : fee.text
  if (!isCharged(booking) || cancel_until === null) return []
  const limit = new Date(cancel_until)
  const until = zonedMinute(timezone, limit)
  if (limit < at) {
    const late = `It can no longer be cancelled free of charge, which was possible until ${until}`
    return [`${late}: cancelling will cost ${cost}.`]
  }
  return onlyLate ? [] : [`Cancelling is free until ${until}, and costs ${cost} after that.`]
}

type Before = {
  typical_spend?: string | undefined
  fee?: string | undefined
  deposit?: string | null | undefined
}

/** What a change costs or, for a dry run, would cost. */
export function changeNotes(booking: Costly, from: Before, isDry: boolean, at: Date): string[] {
  const { typical_spend, fee, status } = booking
  const verb = isDry ? 'would be' : 'is now'
  const amounts = [
    ['expected spend at the venue', typical_spend?.text, from.typical_spend],
    ['fee', isCharged(booking) && status !== 'held' ? fee.text : undefined, from.fee],
  ]
  return [
    ...amounts.flatMap(([what, to, before]) =>
      to && before ? [`The ${what} ${verb} ${to}, before ${before}.`] : [],
    ),
    ...(status === 'held' ? holdNotes({ ...booking, typical_spend: undefined }) : []),
    ...depositChange(booking, from.deposit, isDry),
    ...venueNotes(booking),
    ...cancelNotes(booking, at, true),
  ]
}

/** That a change drops, adds or changes a deposit; `before` is null if there was none. */
function depositChange({ deposit }: Venue, before: Before['deposit'], isDry: boolean): string[] {
  if (before === undefined) return []
  const is = isDry ? 'would be' : 'is now'
  if (!deposit) {
    const back = 'what the guest has paid of it is for the venue to return'
    return [`The venue’s deposit or guarantee of ${before} ${is} dropped: ${back}.`]
  }
  return [`The venue’s ${deposit.kind} ${is} ${deposit.text}, before ${before ?? 'none'}.`]
}
