/**
 * Stripe's minor units differ from ISO 4217 for some currencies: the króna and the Ugandan shilling
 * have two digits that must be 00; dinars and Omani rials must be in tens of the smallest unit.
 */
const hundredfold = ['ISK', 'UGX']
const inTens = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

/** An amount that Stripe has taken, in minor units. */
export const minorOfStripe = (amount: number, currency: string): number =>
  hundredfold.includes(currency.toUpperCase()) ? amount / 100 : amount

/** An amount in Stripe's minor units. Throws if Stripe cannot charge exactly that. */
export function stripeAmount(minor: number, currency: string): number {
  if (inTens.includes(currency) && minor % 10 !== 0) {
    throw new Error(`Stripe charges ${currency} in tens of its smallest unit, not ${minor}`)
  }
  return hundredfold.includes(currency) ? minor * 100 : minor
}
