/** A local date far enough ahead that a booking can be cancelled free of charge, whatever the time of day. */
export const inTwoDays = (): string =>
  new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
