import type { Slot } from '../../contract/public.ts'
import type { RequestedTime } from './requested-time.ts'

/** Whether no times may be shown, as it is not clear when, or only what is over was asked for. */
export const isWithheld = ({ question, isOver, date }: RequestedTime): boolean =>
  question !== undefined || (isOver === true && date === null)

/** The slots to show for a requested time: none if it is not clear, else those in time first. */
export function wantedSlots(
  slots: readonly Slot[],
  requested: RequestedTime,
): { slots: Slot[]; note: string | null } {
  if (isWithheld(requested)) {
    const why = requested.question === undefined ? 'assumed' : 'hint'
    return { slots: [], note: `No times are shown: see \`interpretation.${why}\`.` }
  }
  if (requested.isOver) return { slots: [], note: null }
  const { date, time, until, isExact } = requested
  if (isExact) return { slots: [...slots], note: null }
  // The clock of the venue counts, which may be in another zone than the place.
  const start = date && time ? `${date}T${time}` : ''
  const later = slots.filter(({ slot_time }) => slot_time >= start)
  const inTime = later.filter(({ starts_at }) => !until || Date.parse(starts_at) <= until.getTime())
  if (inTime.length > 0 || slots.length === 0) return { slots: inTime, note: null }
  return { slots: later, note: `Nothing is free in the time from ${time} that was asked for.` }
}
