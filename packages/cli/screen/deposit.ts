import type { Booking, Venue } from '../answers.ts'
import { printable } from './printable.ts'

type SlotDeposits = Venue['availability']['slots'][number]['deposits']
type Terms = NonNullable<SlotDeposits>[number] | NonNullable<Booking['deposit']>

/** What a venue asks for, with its words on when it keeps it and how it is paid. */
export const depositText = ({ text, kept_when: kept, how_to_pay: how }: Terms): string =>
  printable([text, kept && `Kept: ${kept}`, how && `How to pay: ${how}`].filter(Boolean).join('. '))

/** What a venue asks for at these times, each rule once. */
export const depositsOf = (slots: readonly { deposits?: SlotDeposits }[]): string[] => [
  ...new Set(slots.flatMap(({ deposits = [] }) => deposits.map(depositText))),
]
