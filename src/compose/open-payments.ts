import type { Config } from '../config/config.ts'
import { createLocalProvider } from '../payments/providers/local.ts'
import { paymentsOf } from '../payments/rules/collection.ts'
import type { PaymentProvider } from '../payments/rules/provider.ts'
import type { PaymentDeps } from '../payments/steps/deps.ts'
import type { Pool } from '../platform/database/sql.ts'
import type { Log } from '../platform/telemetry/log.ts'

/** How this process collects payments; undefined if the network collects none. */
export async function openPayments(
  config: Config,
  { db, publicUrl, log }: { db: Pool; publicUrl: string; log: Log },
): Promise<PaymentDeps | undefined> {
  const provider = await openProvider(config, db, publicUrl)
  return provider && { db, provider, publicUrl, log }
}

async function openProvider(
  config: Config,
  db: Pool,
  publicUrl: string,
): Promise<PaymentProvider | undefined> {
  switch (paymentsOf(config)) {
    case 'none':
      return undefined
    case 'local':
      return createLocalProvider(db, publicUrl)
    case 'stripe': {
      const { openStripe } = await import('../payments/providers/stripe.ts')
      const { STRIPE_SECRET_KEY = '', STRIPE_WEBHOOK_SECRET = '', STRIPE_API_URL } = config
      return openStripe({
        secretKey: STRIPE_SECRET_KEY,
        webhookSecret: STRIPE_WEBHOOK_SECRET,
        apiUrl: STRIPE_API_URL,
      })
    }
  }
}
