import { HOUR_MS } from '../../base/durations.ts'
import { dateOf } from '../../base/local-time.ts'
import type { StatedDeposit } from './deposit.ts'

/** What a party would book: all that its guests notice if something else is booked instead. */
export type OfferedStay = {
  venueId: string
  serviceId: string
  /** its name with that of the session */
  service: string
  slotTime: string
  /** the date on which its session began */
  night: string
  startsAt: Date
  minutes: number
  /** what the party is expected to pay the venue */
  spendMinor: number
  currency: string
  price: string | undefined
  deposit: StatedDeposit | null
  with: string | undefined
}

/** A price may rise by a tenth before the guest has to be asked. */
const DEARER_PCT = 110
/** An earlier or later time of the same day may be this far from the wanted one. */
const NEAR_MS = HOUR_MS

/** What a guest who wanted one stay has to agree to before getting the other; `km`: its way. */
export function differences(wanted: OfferedStay, other: OfferedStay, km?: number): string[] {
  const isSameVenue = wanted.venueId === other.venueId
  const isSameDay =
    wanted.night === other.night || dateOf(wanted.slotTime) === dateOf(other.slotTime)
  const laterMs = other.startsAt.getTime() - wanted.startsAt.getTime()
  const isDearer =
    wanted.currency !== other.currency || 100 * other.spendMinor > DEARER_PCT * wanted.spendMinor
  const isMoreDeposit = (other.deposit?.amount_minor ?? 0) > (wanted.deposit?.amount_minor ?? 0)
  return [
    ...(isSameVenue
      ? differencesAtVenue(wanted, other)
      : [km === undefined ? 'another venue' : `another venue, ${km} km away`]),
    !isSameDay && 'another day',
    isSameDay && Math.abs(laterMs) > NEAR_MS && `much ${laterMs < 0 ? 'earlier' : 'later'}`,
    isDearer && other.price && dearer(wanted.price, other.price),
    isMoreDeposit && other.deposit && `a ${other.deposit.kind} of ${other.deposit.text}`,
  ].filter((one) => typeof one === 'string')
}

const dearer = (from: string | undefined, to: string) => (from ? `${to}, not ${from}` : to)

/** Other venues have other services and people anyway. */
const differencesAtVenue = (wanted: OfferedStay, other: OfferedStay) => [
  wanted.service !== other.service && `${other.service}, not ${wanted.service}`,
  wanted.minutes !== other.minutes && `${other.minutes} minutes, not ${wanted.minutes}`,
  wanted.with !== undefined && wanted.with !== other.with && `not with ${wanted.with}`,
]
