import { DAY_MS } from '../../base/durations.ts'
import { DEMO_PAYER } from '../../base/money.ts'
import { directionsUrl } from '../../base/venue-place.ts'
import { withTexts } from '../../contract/local-times.ts'
import type { Context } from '../../contract/operation.ts'
import type { OwnBooking } from '../../contract/public.ts'
import { idOfLinkToken, linkToken } from '../../platform/sealing/link-tokens.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { hasGuestPage } from '../rules/guest-notices.ts'
import type { StoredBooking } from '../store/booking-view.ts'
import { feeFor } from '../store/fees.ts'

const PAGE = 'guest-page'
const MAILS = 'guest-mails'

type Tokens = Pick<Sealer, 'tokens'>

/** The page on which guests see and cancel their booking. */
export const guestPageUrl = (sealer: Tokens, publicUrl: string, bookingId: string): string =>
  `${publicUrl}/guest/${linkToken(sealer, PAGE, bookingId)}`

/** The booking on a guest's page; undefined for an invented token. */
export const bookingOfGuestPage = (sealer: Tokens, token: string): string | undefined =>
  idOfLinkToken(sealer, PAGE, token)

/**
 * The page on which the recipient of a booking's emails stops them. Only the emails link to it: an
 * agent, who knows the guest's page, must not be able to stop somebody else's emails.
 */
export const guestMailsUrl = (sealer: Tokens, publicUrl: string, bookingId: string): string =>
  `${publicUrl}/guest/mails/${linkToken(sealer, MAILS, bookingId)}`

/** The booking whose emails a token stops; undefined for an invented token. */
export const bookingOfGuestMails = (sealer: Tokens, token: string): string | undefined =>
  idOfLinkToken(sealer, MAILS, token)

const PAGE_DAYS = 30

/** A guest's page closes 30 days after the slot, long before the guest's details are erased. */
export const guestPageClosesAt = (startsAt: Date): Date =>
  new Date(startsAt.getTime() + PAGE_DAYS * DAY_MS)

type LinkContext = Pick<Context, 'egress' | 'settings' | 'at' | 'scopes'>

/**
 * A booking as its account sees it, with the guest fields. Anybody with the address of the guest’s
 * page can cancel, so only keys that may cancel get it.
 */
export function ownBookingOf(
  { egress, settings, at, scopes }: LinkContext,
  { guest_mails, ...booking }: StoredBooking,
): OwnBooking {
  const isOpen = hasGuestPage(booking.status) && guestPageClosesAt(new Date(booking.starts_at)) > at
  return {
    ...booking,
    place: { ...booking.place, directions_url: directionsUrl(booking.place) },
    fee: { ...booking.fee, ...feeToCome(booking, settings) },
    guest_url:
      isOpen && scopes.includes('bookings')
        ? guestPageUrl(egress, settings.publicUrl, booking.id)
        : null,
    guest_mails: guest_mails && settings.sendsMail,
  }
}

/** The fee that confirming will cost, until it does. */
function feeToCome(
  { status, fee, typical_spend }: Pick<StoredBooking, 'status' | 'fee' | 'typical_spend'>,
  { feePct }: LinkContext['settings'],
) {
  const isOpen = status === 'held' || status === 'pending' || status === 'offered'
  if (!isOpen || fee.status !== 'none') return {}
  if (!typical_spend) return { note: `Once it is confirmed, ${feePct} % of the expected spend` }
  const { amount_minor, pct } = feeFor(typical_spend.amount_minor, feePct, fee.currency)
  const isFree = fee.charged_to === DEMO_PAYER
  return withTexts({
    ...{ ...fee, amount_minor, pct },
    status: isFree ? ('not_charged' as const) : ('expected' as const),
  })
}
