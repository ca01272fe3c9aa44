import type { Offering } from '../../availability/store/offerings.ts'

/** What venues are weighed by, in the order of a block. */
export type Preference = {
  fits: readonly boolean[]
  /** lower comes first; a limit is used only where no venue fits */
  order: readonly number[]
  /** whether only those that fit are shown, where any does */
  isLimit: boolean
  /** ends "No bar in Kuta …" */
  unmet: string
}

/** A venue with what can be booked there. */
export type OfferedVenue = {
  price_level: number
  currency: string
  offerings: readonly Offering[]
}
