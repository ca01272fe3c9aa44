import { selectNextTimes } from '../../availability/store/next-slots.ts'
import { Refusal, refuse } from '../../base/errors.ts'
import { addDays, dateOf, toInstantPastGap, toLocal } from '../../base/local-time.ts'
import type { BookingServices } from '../../bookings/engine.ts'
import { submitCommand } from '../../bookings/operations/submit-command.ts'
import type { CommandKind } from '../../bookings/rules/booking-messages.ts'
import { cancellationOf } from '../../bookings/rules/cancellation.ts'
import { hasGuestPage } from '../../bookings/rules/guest-notices.ts'
import { keptWish } from '../../bookings/steps/amend.ts'
import {
  bookingOfGuestPage,
  guestPageClosesAt,
  guestPageUrl,
} from '../../bookings/steps/guest-link.ts'
import { selectTakesAmend } from '../../confirmation/store/connectors.ts'
import type { Context, Services } from '../../contract/operation.ts'
import type { Cancellation } from '../../contract/public.ts'
import {
  selectGuestBooking,
  selectIsChangeRefused,
  selectOptionalGuest,
  selectOtherParts,
} from '../store/guest-bookings.ts'

/** How long a guest's click waits for its effect. */
const WAIT_SECONDS = 5
const MAX_TIMES = 48
const MAX_DAYS_AHEAD = 400

const cancellable: readonly string[] = ['pending', 'offered', 'confirmed']

/** Whether the account pays for each booking with a saved card. */
type Billing = { billing?: { paysByCard(account: { id: string }): Promise<boolean> } | undefined }
type PageServices = Pick<Services, 'db' | 'egress' | 'settings'> & Billing
type ActServices = Services & BookingServices & Billing

/**
 * A booking as its guest sees it. `at` is the current time of the account; `cancellation` is the
 * cost of cancelling at that time, or null if it is too late.
 */
export type GuestPage = Awaited<ReturnType<typeof readGuestPage>>

/** Throws `guest_link_invalid` if the token is forged or the page has closed. */
export async function readGuestPage(services: PageServices, token: string, now: Date) {
  const { db, egress, settings } = services
  const id = bookingOfGuestPage(egress, token)
  const guest = id && (await selectOptionalGuest(db, id))
  if (!guest || guest.is_erased) throw refuse('guest_link_invalid')
  const at = new Date(now.getTime() + (guest.clock_ahead_ms ?? 0))
  const details = await selectGuestBooking(db, id)
  const { status, starts_at, confirm_mode: mode, change, group_id, venue } = details.booking
  const startsAt = new Date(starts_at)
  if (!hasGuestPage(status) || guestPageClosesAt(startsAt) <= at) throw refuse('guest_link_invalid')
  const canCancel = cancellable.includes(status) && startsAt > at
  const cancellation = canCancel ? cancellationOf(details.booking, at, 'guest') : null
  const isMovable = canCancel && status === 'confirmed' && change === null
  const takesChange = isMovable && (mode === 'auto' || (await selectTakesAmend(db, venue.id, mode)))
  const canChange = takesChange && (await mayBook(services, guest))
  const isChangeRefused = isMovable && (await selectIsChangeRefused(db, id))
  const canAccept = status === 'offered' && canCancel && (await mayBook(services, guest))
  const others = group_id ? await selectOtherParts(db, id) : []
  const parts = others
    .filter((part) => hasGuestPage(part.status))
    .map((part) => ({ ...part, url: guestPageUrl(egress, settings.publicUrl, part.id) }))
  return { ...details, guest, cancellation, canChange, isChangeRefused, canAccept, parts, at }
}

type Guest = NonNullable<Awaited<ReturnType<typeof selectOptionalGuest>>>

/** A guest can cost the account no fee that its agent could not cause: it needs pro or a card. */
async function mayBook({ billing }: Billing, guest: Guest): Promise<boolean> {
  const { account_id: id, account_tier, account_mode, is_closed } = guest
  if (is_closed) return false
  if (account_tier === 'pro' || account_mode === 'test') return true
  return (await billing?.paysByCard({ id })) === true
}

/** The free times of a day for a party, and the booking's own time on its day. */
export async function readOtherTimes(
  db: Services['db'],
  { booking, at }: GuestPage,
  { date, partySize }: { date: string; partySize: number },
): Promise<string[]> {
  const { id, venue, timezone, slot_time } = booking
  const today = dateOf(toLocal(timezone, at))
  if (date < today || date > addDays(today, MAX_DAYS_AHEAD)) return []
  const midnight = toInstantPastGap(timezone, `${date}T00:00:00`)
  const from = midnight > at ? midnight : at
  const wish = await keptWish(db, id)
  const query = { at, from, partySize, wish, count: MAX_TIMES }
  const free = await selectNextTimes(db, venue.id, query)
  return [...new Set([...free, slot_time])].filter((time) => dateOf(time) === date).sort()
}

/**
 * `recorded`: takes effect later. `amended`: it has the wanted time and party. `changed`: it is no
 * longer what the guest agreed to. `taken`: the time is not free. `kept`: the venue did not agree
 * to a change. `refused`: not on this page.
 */
export type GuestOutcome =
  | 'done'
  | 'amended'
  | 'recorded'
  | 'changed'
  | 'taken'
  | 'kept'
  | 'refused'
  | 'too_late'

type Call = Pick<Context, 'address' | 'requestId' | 'at'>

/**
 * Cancels a booking for its guest, who has seen the cost, or refuses the time that its venue
 * offers. A second click changes nothing.
 */
export async function cancelAsGuest(
  services: ActServices,
  { token, agreedTo }: { token: string; agreedTo: Cancellation['fee'] | undefined },
  call: Call,
): Promise<GuestOutcome> {
  const page = await readGuestPage(services, token, call.at)
  const { status } = page.booking
  if (status === 'cancelled' || status === 'declined') return 'done'
  if (!page.cancellation) return 'too_late'
  if (page.cancellation.fee !== agreedTo) return 'changed'
  return act(services, page, status === 'offered' ? ['refuse_offer'] : ['cancel'], call)
}

/** Books the time that the venue offers, which the guest has read as `slotTime`. */
export async function acceptAsGuest(
  services: ActServices,
  { token, slotTime }: { token: string; slotTime: string },
  call: Call,
): Promise<GuestOutcome> {
  const page = await readGuestPage(services, token, call.at)
  const { status, slot_time, offer } = page.booking
  if (status === 'confirmed' && slot_time === slotTime) return 'done'
  if (!page.canAccept || offer?.slot_time !== slotTime) return 'changed'
  return act(services, page, ['accept_offer'], call)
}

/** Moves a booking, which the guest has read as `revision`, as its agent could. */
export async function changeAsGuest(
  services: ActServices,
  wanted: {
    token: string
    revision: number
    slotTime: string
    partySize: number
    formId: string
  },
  call: Call,
): Promise<GuestOutcome> {
  const page = await readGuestPage(services, wanted.token, call.at)
  if (!page.canChange) return 'refused'
  const change = { slot_time: wanted.slotTime, party_size: wanted.partySize }
  const { revision, slot_time, party_size } = page.booking
  const isSo = slot_time === change.slot_time && party_size === change.party_size
  if (revision !== wanted.revision && !isSo) return 'changed'
  const outcome = await act(services, page, ['amend', change, `page ${wanted.formId}`], call)
  return outcome === 'done' ? 'amended' : outcome
}

type Act = [kind: CommandKind, input?: Record<string, unknown>, key?: string]

/** Uses the same command as an agent, on behalf of the account. */
async function act(
  services: ActServices,
  { booking, guest, at }: GuestPage,
  [kind, change, idempotency_key]: Act,
  call: Call,
): Promise<GuestOutcome> {
  const { account_id: id, account_name: name, account_mode: mode, clock_ahead_ms } = guest
  const account = { id, name, tier: 'pro', mode, clock_ahead_ms } as const
  const caller = { account, scopes: ['bookings'], door: 'guest', from: null } as const
  const input = { ...change, by: 'guest', page: true }
  const command = { id: booking.id, kind, input, idempotency_key, wait: WAIT_SECONDS } as const
  try {
    const { isPending } = await submitCommand({ ...services, ...caller, ...call, at }, command)
    return isPending ? 'recorded' : 'done'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code } = error.data
    // The command is stored, and the sweep will announce it.
    if (code === 'booking_engine_unavailable') return 'recorded'
    return outcomes[code] ?? (kind === 'amend' ? 'taken' : rethrow(error))
  }
}

const outcomes: Partial<Record<string, GuestOutcome>> = {
  already_final: 'too_late',
  no_offer: 'changed',
  offer_expired: 'changed',
  too_many_changes: 'refused',
  command_limit: 'refused',
  not_decided_yet: 'refused',
  amend_not_supported: 'refused',
  fee_above_authorized: 'refused',
  booking_limit: 'refused',
  slot_given_back_too_often: 'refused',
  venue_declined: 'kept',
  venue_no_answer: 'kept',
  part_of_itinerary: 'refused',
}

function rethrow(error: Refusal): never {
  throw error
}
