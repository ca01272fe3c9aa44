import { toneOf } from './paint.ts'
import type { Column } from './table.ts'
import { localSlot } from './times.ts'

/** What bookings and watches have in common. */
type OfSlot = { status: string; slot_time: string; party_size: number; venue: { name: string } }

/** The columns of a list of bookings or watches, after their ids. */
export const slotColumns: readonly Column<OfSlot>[] = [
  {
    head: 'STATUS',
    cell: ({ status }) => status,
    tone: ({ status }) => toneOf(status),
    whole: true,
  },
  { head: 'TIME', cell: ({ slot_time }) => localSlot(slot_time), whole: true },
  { head: 'GUESTS', cell: ({ party_size }) => `${party_size}`, align: 'right', dispensable: 2 },
  { head: 'VENUE', cell: ({ venue }) => venue.name, dispensable: 1 },
]
