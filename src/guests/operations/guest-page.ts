import { Refusal, refuse } from '../../base/errors.ts'
import type { BookingServices } from '../../bookings/engine.ts'
import { submitCommand } from '../../bookings/operations/submit-command.ts'
import { cancellationOf } from '../../bookings/rules/cancellation.ts'
import { hasGuestPage } from '../../bookings/rules/guest-notices.ts'
import { bookingOfGuestPage, guestPageClosesAt } from '../../bookings/steps/guest-link.ts'
import type { Context, Services } from '../../contract/operation.ts'
import type { Cancellation } from '../../contract/public.ts'
import { selectGuestBooking, selectOptionalGuest } from '../store/guest-bookings.ts'

/** How long a guest's click waits for its effect. */
const WAIT_SECONDS = 5

const cancellable: readonly string[] = ['pending', 'offered', 'confirmed']

/**
 * A booking as its guest sees it. `at` is the current time of the account; `cancellation` is the
 * cost of cancelling at that time, or null if it is too late.
 */
export type GuestPage = Awaited<ReturnType<typeof readGuestPage>>

/** Throws `guest_link_invalid` if the token is forged or the page has closed. */
export async function readGuestPage(
  { db, egress }: Pick<Services, 'db' | 'egress'>,
  token: string,
  now: Date,
) {
  const id = bookingOfGuestPage(egress, token)
  const guest = id && (await selectOptionalGuest(db, id))
  if (!guest || guest.is_erased) throw refuse('guest_link_invalid')
  const at = new Date(now.getTime() + (guest.clock_ahead_ms ?? 0))
  const details = await selectGuestBooking(db, id)
  const { status, starts_at } = details.booking
  const startsAt = new Date(starts_at)
  if (!hasGuestPage(status) || guestPageClosesAt(startsAt) <= at) throw refuse('guest_link_invalid')
  const canCancel = cancellable.includes(status) && startsAt > at
  const cancellation = canCancel ? cancellationOf(details.booking, at, 'guest') : null
  return { ...details, guest, cancellation, at }
}

/** `recorded`: takes effect later. `changed`: the terms are no longer what the guest agreed to. */
export type GuestCancellation = 'done' | 'recorded' | 'changed' | 'too_late'

/**
 * Cancels a booking for its guest, who has seen the cost. Uses the same command as an agent, on
 * behalf of the account. A second click changes nothing.
 */
export async function cancelAsGuest(
  services: Services & BookingServices,
  { token, agreedTo }: { token: string; agreedTo: Cancellation['fee'] | undefined },
  call: Pick<Context, 'address' | 'requestId' | 'at'>,
): Promise<GuestCancellation> {
  const { booking, guest, cancellation, at } = await readGuestPage(services, token, call.at)
  if (booking.status === 'cancelled') return 'done'
  if (!cancellation) return 'too_late'
  if (cancellation.fee !== agreedTo) return 'changed'
  const { account_id: id, account_name: name, account_mode: mode, clock_ahead_ms } = guest
  const account = { id, name, tier: 'pro', mode, clock_ahead_ms } as const
  const caller = { account, scopes: ['bookings'], door: 'guest', from: null } as const
  const input = { by: 'guest', page: true }
  const command = { id: booking.id, kind: 'cancel', input, wait: WAIT_SECONDS } as const
  try {
    const { isPending } = await submitCommand({ ...services, ...caller, ...call, at }, command)
    return isPending ? 'recorded' : 'done'
  } catch (error) {
    const code = error instanceof Refusal ? error.data.code : undefined
    // The command is stored, and the sweep will announce it.
    if (code === 'booking_engine_unavailable') return 'recorded'
    if (code === 'already_final') return 'too_late'
    throw error
  }
}
