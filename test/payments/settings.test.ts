import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { stripeAmount } from '../../src/payments/rules/stripe-amount.ts'
import { paymentsOf } from '../../src/payments-config.ts'

const stripe = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
}

test('nothing is collected in production unless it is asked for, and locally on npm start', () => {
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
])('%j is refused with what to do', (env, text) => {
  expect(() => readConfig(env)).toThrow(text)
})

test('amounts are those that Stripe charges in each currency', () => {
  expect(stripeAmount(4900, 'USD')).toBe(4900)
  expect(stripeAmount(29_000_000, 'IDR')).toBe(29_000_000)
  expect(stripeAmount(50_000, 'VND')).toBe(50_000)
  expect(stripeAmount(500, 'ISK')).toBe(50_000)
  expect(stripeAmount(12_340, 'KWD')).toBe(12_340)
  expect(() => stripeAmount(12_345, 'KWD')).toThrow('tens')
})
