/** A booking's claim on an offering from `startsAt` to `until` (buffer included). */
export type InventoryClaim = {
  bookingId: string
  offeringId: string
  startsAt: Date
  until: Date
  partySize: number
  /** beyond what the booking has, for what it is to become (store/change-inventory.ts); only of places */
  ofChange?: boolean
}
