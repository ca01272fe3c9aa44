import { expect, test } from 'vitest'
import { openPayments } from '../../src/compose/open-payments.ts'
import { settingsOf } from '../../src/compose/settings.ts'
import { readConfig } from '../../src/config/config.ts'
import { paymentsOf } from '../../src/payments/rules/collection.ts'
import { stripeAmount } from '../../src/payments/rules/stripe-amount.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'

const stripe = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
}

test('payments are collected in production only if configured, and locally on npm start', () => {
  expect(paymentsOf(readConfig({ NODE_ENV: 'production' }))).toBe('none')
  expect(paymentsOf(readConfig({}))).toBe('local')
  expect(paymentsOf(readConfig(stripe))).toBe('stripe')
})

test.each([
  [{ NODE_ENV: 'production', PAYMENTS: 'local' }, 'set stripe or none'],
  [{ PAYMENTS: 'stripe' }, 'STRIPE_SECRET_KEY: must be given with PAYMENTS=stripe'],
  [{ PAYMENTS: 'stripe' }, 'STRIPE_WEBHOOK_SECRET: must be given with PAYMENTS=stripe'],
  [{ STRIPE_SECRET_KEY: 'sk_test_x' }, 'set PAYMENTS=stripe, or remove it'],
  [{ ...stripe, STRIPE_SECRET_KEY: 'pk_test_x' }, 'must be sk_test_'],
  [{ ...stripe, STRIPE_SECRET_KEY: 'sk_live_x' }, 'use a test key'],
  [{ ...stripe, STRIPE_WEBHOOK_SECRET: 'x' }, 'STRIPE_WEBHOOK_SECRET'],
  [
    { ...stripe, NODE_ENV: 'production', STRIPE_API_URL: 'http://127.0.0.1:1' },
    'remove it in production',
  ],
])('%j is refused, saying what to do', (env, text) => {
  expect(() => readConfig(env)).toThrow(text)
})

test('x402 cannot pay for pro: without cards, the operator grants it in production', async () => {
  const x402 = {
    NODE_ENV: 'production',
    X402_FACILITATOR: 'https://facilitator.example',
    X402_PAY_TO: `0x${'1'.repeat(40)}`,
    X402_RPC_URL: 'https://node.example',
    X402_RATES: 'IDR=16400',
  }
  const opened = async (env: Record<string, string>) => {
    const config = readConfig(env)
    const deps = { db: {} as Pool, publicUrl: 'http://127.0.0.1', log: createLog('silent') }
    const payments = await openPayments(config, deps)
    const { proUpgrade, x402: terms } = settingsOf(config, deps.publicUrl)
    return { provider: payments?.provider.name, proUpgrade, rates: terms?.rates }
  }
  const rates = { USD: '1', IDR: '16400' }
  expect(await opened(x402)).toEqual({ provider: undefined, proUpgrade: 'operator', rates })
  expect(await opened({ NODE_ENV: 'production' })).toMatchObject({ proUpgrade: 'operator' })
})

test('amounts match what Stripe charges in each currency', () => {
  expect(stripeAmount(4900, 'USD')).toBe(4900)
  expect(stripeAmount(29_000_000, 'IDR')).toBe(29_000_000)
  expect(stripeAmount(50_000, 'VND')).toBe(50_000)
  expect(stripeAmount(500, 'ISK')).toBe(50_000)
  expect(stripeAmount(12_340, 'KWD')).toBe(12_340)
  expect(() => stripeAmount(12_345, 'KWD')).toThrow('tens')
})
