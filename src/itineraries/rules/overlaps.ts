import { toLocal } from '../../base/local-time.ts'
import type { Booking } from '../../contract/public.ts'

type Stay = Pick<Booking, 'starts_at' | 'ends_at' | 'timezone' | 'slot_time'>

/** Two parts that overlap in time, with a message. */
export type Overlap = { code: 'parts_overlap'; parts: number[]; message: string }

/** The overlapping parts of an itinerary, which may be intended if the guests split up. */
export function overlapsOf(parts: readonly { part: number; booking: Stay | null }[]): Overlap[] {
  const stays = parts
    .flatMap(({ part, booking }) =>
      booking?.ends_at ? [{ ...booking, part, ends_at: booking.ends_at }] : [],
    )
    .sort((a, b) => (a.starts_at < b.starts_at ? -1 : 1))
  return stays.flatMap((first, index) =>
    stays
      .slice(index + 1)
      .filter((second) => second.starts_at < first.ends_at)
      .map((second) => ({
        code: 'parts_overlap' as const,
        parts: [first.part, second.part],
        message: inWords(first, second),
      })),
  )
}

type Numbered = Stay & { part: number; ends_at: string }

function inWords(first: Numbered, second: Numbered): string {
  const end = clockOf(toLocal(first.timezone, new Date(first.ends_at)))
  const begin = `${clockOf(second.slot_time)} (${second.timezone})`
  return (
    `Part ${first.part} lasts until ${end} and part ${second.part} begins at ${begin}: the same ` +
    'guests cannot be at both.'
  )
}

const clockOf = (local: string) => local.slice(0, 16).replace('T', ' ')
