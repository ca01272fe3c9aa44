import type { Slot } from '../../contract/public.ts'
import { utcOffset } from '../../contract/rules/local-time.ts'
import { statusOf } from '../rules/capacity.ts'
import type { BookableSlot } from './bookable-slots.ts'

/** A slot as every door shows it. */
export function presentSlot({ offering, slot, free, range }: BookableSlot, feePct: number): Slot {
  const { timezone, currency, confirm_mode, rules } = offering
  return {
    slot_time: slot.slotTime,
    timezone,
    utc_offset: utcOffset(timezone, slot.startsAt),
    starts_at: slot.startsAt.toISOString(),
    ends_at: slot.endsAt.toISOString(),
    status: statusOf(free),
    places_left: free.left,
    ...range,
    confirm_mode,
    cancel_until: slot.cancelUntil.toISOString(),
    fee: { pct: feePct, base_per_guest_minor: rules.spend_per_guest_minor, currency },
  }
}
