import type { z } from 'zod'
import { SECOND_MS } from '../../contract/rules/durations.ts'
import { money } from '../../contract/rules/money.ts'
import { CREDIT_CURRENCY, promises, tariff } from '../rules/tariff.ts'
import type { promised } from '../schema/guarantee.ts'

/** The tariff as it is published. */
export const promisedTerms: readonly z.infer<typeof promised>[] = promises.map((promise) => {
  const { title, promise: text, withinMs, creditMinor } = tariff[promise]
  return {
    promise,
    title,
    text,
    within_seconds: withinMs && withinMs / SECOND_MS,
    credit_minor: creditMinor,
    credit_text: money(creditMinor, CREDIT_CURRENCY),
    currency: CREDIT_CURRENCY,
  }
})
