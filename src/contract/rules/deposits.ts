/** `guarantee`: nothing is charged unless it is kept. */
export const depositKinds = ['deposit', 'guarantee'] as const
export const depositUnits = ['guest', 'party'] as const

/** When a deposit is kept, in words for everybody who is shown one. */
export const KEPT_IF =
  'Kept for the venue if the guest does not come, or cancels after the booking could be ' +
  'cancelled for free. Otherwise returned.'
