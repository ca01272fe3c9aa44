import { type Capacity, couldHave } from './capacity.ts'
import { type OfferedSlot, type OpeningHours, timesOn } from './slots.ts'

type Service = Capacity & OpeningHours

/** The slots of a local date that a venue without bookings could give a party, in order. */
export const possibleSlots = <S extends Service>(
  services: readonly S[],
  { date, partySize }: { date: string; partySize: number },
): { service: S; slot: OfferedSlot }[] =>
  services
    .flatMap((service) => {
      const { rules, exceptions, timezone } = service
      return timesOn({ rules, exceptions, timezone, partySize, date })
        .filter((slot) => couldHave(service, slot, partySize))
        .map((slot) => ({ service, slot }))
    })
    .sort((one, other) => one.slot.startsAt.getTime() - other.slot.startsAt.getTime())
