import { MINUTE_MS } from '../../base/durations.ts'
import { utcOffset, zonedTime } from '../../base/local-time.ts'
import { slotPayer } from '../../base/money.ts'
import type { Context } from '../../contract/operation.ts'
import type { Slot } from '../../contract/public.ts'
import { statusOf, unitOf } from '../rules/capacity.ts'
import { depositsAt, shownDeposit } from '../rules/deposit.ts'
import { baseOf, expectedPrice } from '../rules/service-terms.ts'
import type { BookableSlot } from './bookable-slots.ts'
import type { CandidateSlot } from './candidate-slots.ts'

/** The fee as a percentage, and whether a sandbox asks. */
export type SlotFee = { feePct: number; isTest?: boolean }

/** What a caller is told about the fee of slots. */
export const slotFeeFor = ({ settings, account }: Pick<Context, 'settings' | 'account'>) => ({
  feePct: settings.feePct,
  isTest: account?.mode === 'test',
})

/** A slot as every door shows it. */
export function presentSlot({ service, slot, free, range }: BookableSlot, fee: SlotFee): Slot {
  const { name, timezone, currency, confirm_mode, rules } = service
  const ms = slot.endsAt.getTime() - slot.startsAt.getTime()
  const price = expectedPrice(rules, ms / MINUTE_MS, currency)
  const { minor, per } = baseOf(rules, ms)
  const deposits = depositsAt(rules.deposits, slot.slotTime)
  return {
    slot_time: slot.slotTime,
    timezone,
    utc_offset: utcOffset(timezone, slot.startsAt),
    service: name,
    ...(price && { [rules.price ? 'price' : 'typical_spend']: price }),
    ...(slot.session && { sessions: sessionsOf({ service, slot }) }),
    starts_at: slot.startsAt.toISOString(),
    ends_at: slot.endsAt.toISOString(),
    status: statusOf(free),
    places_left: free.remaining,
    places_left_unit: unitOf(service),
    ...range,
    confirm_mode,
    cancel_until: slot.cancelUntil.toISOString(),
    cancel_until_local: zonedTime(timezone, slot.cancelUntil),
    fee: {
      pct: fee.feePct,
      [`base_per_${per}_minor`]: minor,
      currency,
      charged_to: slotPayer(service, fee.isTest),
    },
    ...(deposits.length > 0 && { deposits: deposits.map((one) => shownDeposit(one, currency)) }),
  }
}

/** The session that begins with a slot, if its service is a class. */
export function sessionsOf({
  service,
  slot: { session },
}: Pick<CandidateSlot, 'service' | 'slot'>) {
  if (!session) return []
  const { name, with: leader } = session
  return [{ service: service.name, ...(name && { name }), ...(leader && { with: leader }) }]
}
