import type { VenueService } from '../../availability/store/venue-services.ts'

/** A preference among the venues of a search block; `fits` and `order` follow the block's order. */
export type Preference = {
  fits: readonly boolean[]
  /** lower values come first; for a limit, this matters only if no venue fits */
  order: readonly number[]
  /** whether to show only venues that fit, if there are any */
  isLimit: boolean
  /** the end of the sentence "No bar in Kuta …" */
  unmet: string
}

/** A venue with its bookable services. */
export type OfferedVenue = {
  price_level: number
  currency: string
  services: readonly VenueService[]
}
