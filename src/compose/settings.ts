import type { Config } from '../config/config.ts'
import { x402TermsOf } from '../config/x402-variables.ts'
import { pushKey } from '../local/key-files.ts'
import { type NetworkServices, type RoomSettings, rooms } from '../network.ts'
import { type PushKeys, pushKeysOf } from '../notices/steps/send-push.ts'
import { paymentsOf } from '../payments/rules/collection.ts'
import { mailTransport } from '../platform/mail/send-mail.ts'

type NetworkSettings = NetworkServices['settings']

const roomSettings = (config: Config): RoomSettings =>
  Object.assign({}, ...rooms.flatMap((room) => ('settings' in room ? [room.settings(config)] : [])))

/**
 * Configuration that operations read. In production, only operators grant unpaid pro, and endpoints
 * require a verified address.
 */
export const settingsOf = (config: Config, publicUrl: string): NetworkSettings => ({
  ...roomSettings(config),
  publicUrl,
  feePct: config.FEE_PCT,
  pushKey: openPushKeys(config, publicUrl)?.publicKey ?? null,
  sendsMail: mailTransport(config) !== 'none',
  proMonthlyUsd: config.PRO_MONTHLY_USD,
  requestsPerDay: {
    free: config.FREE_REQUESTS_PER_DAY,
    pro: config.PRO_REQUESTS_PER_DAY,
    test: config.TEST_REQUESTS_PER_DAY,
  },
  proUpgrade: config.PRO_UPGRADE ?? (givesAway(config) ? 'operator' : 'self'),
  endpointsNeedVerifiedEmail: config.NODE_ENV === 'production',
  x402: x402TermsOf(config),
})

/** Whether anybody could get pro for free in production. */
const givesAway = (config: Config) =>
  config.NODE_ENV === 'production' && paymentsOf(config) === 'none'

/** The keys of web push; undefined if it is not configured. */
export function openPushKeys(config: Config, publicUrl: string): PushKeys | undefined {
  const privateKey = pushKey(config)
  return privateKey ? pushKeysOf(privateKey, config.CONTACT_EMAIL ?? publicUrl) : undefined
}
