/** Environment variables that configure how payments are collected. */
export type CollectionVariables = {
  NODE_ENV: 'development' | 'test' | 'production'
  PAYMENTS?: 'none' | 'local' | 'stripe' | undefined
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
  STRIPE_API_URL?: string | undefined
}

/** How payments are collected. Default: `local` in development, otherwise `none`. */
export const paymentsOf = ({ PAYMENTS, NODE_ENV }: CollectionVariables) =>
  PAYMENTS ?? (NODE_ENV === 'development' ? 'local' : 'none')

/** Faults in the combination of these variables: the variable, what is wrong, and the remedy. */
export function paymentFaults(
  variables: CollectionVariables,
): { path: [keyof CollectionVariables]; message: string }[] {
  const { NODE_ENV, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = variables
  const mode = paymentsOf(variables)
  const faults: [keyof CollectionVariables, string | false | undefined][] = [
    [
      'PAYMENTS',
      mode === 'local' &&
        NODE_ENV === 'production' &&
        'must not be local in production, as no money moves there: set stripe or none',
    ],
    [
      'STRIPE_SECRET_KEY',
      mode === 'stripe'
        ? !STRIPE_SECRET_KEY && 'must be given with PAYMENTS=stripe'
        : STRIPE_SECRET_KEY && 'is given: set PAYMENTS=stripe, or remove it',
    ],
    [
      'STRIPE_WEBHOOK_SECRET',
      mode === 'stripe' &&
        !STRIPE_WEBHOOK_SECRET &&
        'must be given with PAYMENTS=stripe: the signing secret of the webhook endpoint',
    ],
    [
      'STRIPE_SECRET_KEY',
      NODE_ENV !== 'production' &&
        STRIPE_SECRET_KEY?.includes('_live_') &&
        'is a live key, and NODE_ENV is not production: use a test key (sk_test_…)',
    ],
    [
      'STRIPE_API_URL',
      NODE_ENV === 'production' && STRIPE_API_URL && 'is for tests: remove it in production',
    ],
  ]
  return faults.flatMap(([path, message]) => (message ? [{ path: [path], message }] : []))
}
