import type { Config } from '../config/config.ts'
import { paymentsOf } from '../config/payments-config.ts'
import { x402TermsOf } from '../config/x402-variables.ts'
import type { Settings } from '../contract/operation.ts'
import { mailTransport } from '../platform/mail/send-mail.ts'

/**
 * What operations read from the configuration. In production only operators grant pro that
 * is not paid for, and endpoints are for developers who have shown an address.
 */
export const settingsOf = (config: Config, publicUrl: string): Settings => ({
  publicUrl,
  feePct: config.FEE_PCT,
  sendsMail: mailTransport(config) !== 'none',
  proMonthlyUsd: config.PRO_MONTHLY_USD,
  requestsPerDay: {
    free: config.FREE_REQUESTS_PER_DAY,
    pro: config.PRO_REQUESTS_PER_DAY,
    test: config.TEST_REQUESTS_PER_DAY,
  },
  proUpgrade: config.PRO_UPGRADE ?? (givesAway(config) ? 'operator' : 'self'),
  endpointsNeedVerifiedEmail: config.NODE_ENV === 'production',
  endpointsPerAccount: config.ENDPOINTS_PER_ACCOUNT,
  watchHoldSeconds: config.WATCH_HOLD_SECONDS,
  x402: x402TermsOf(config),
})

/** Whether pro would be free for everybody who asks, in production. */
const givesAway = (config: Config) =>
  config.NODE_ENV === 'production' && paymentsOf(config) === 'none'
