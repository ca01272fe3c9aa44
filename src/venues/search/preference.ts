import type { Offering } from '../../availability/store/offerings.ts'

/** A preference by which venues are weighed, in the order of a block. */
export type Preference = {
  fits: readonly boolean[]
  /** lower comes first; a limit applies only if no venue fits */
  order: readonly number[]
  /** whether to show only fitting venues, if there are any */
  isLimit: boolean
  /** ends "No bar in Kuta …" */
  unmet: string
}

/** A venue with its bookable offerings. */
export type OfferedVenue = {
  price_level: number
  currency: string
  offerings: readonly Offering[]
}
