import { z } from 'zod'
import { zonedTime } from '../base/local-time.ts'
import { feePayers, money } from '../base/money.ts'

export const currency = z.string().meta({
  id: 'Currency',
  description:
    'ISO 4217 code; amounts are integers in its minor unit as ISO 4217 defines it: IDR, THB ' +
    'and SGD have two decimals (IDR 290,000 is 29000000), VND has none. The `text` next to an ' +
    'amount is what people write',
})

/** Who pays a fee. */
export const chargedTo = z
  .enum(feePayers)
  .describe(
    'The network charges the fee to the account or the wallet that books, never to the guest',
  )
  .meta({ id: 'FeePayer' })

/** An amount as text, so that nobody misreads it by a factor of 100; `withTexts` fills it in. */
export const amountText = z
  .string()
  .meta({ id: 'AmountText', description: 'The amount as people write it: IDR 290,000' })
  .prefault('')

/** A deadline in the guest’s local time; `withLocalTimes` fills it in. */
export const localTwin = z
  .string()
  .describe('The same time at the venue, as in 2026-11-23T19:00:00+08:00 (Asia/Makassar)')
  .meta({ id: 'LocalTimeText' })
  .nullable()
  .default(null)

type Priced = { currency: string } & Record<string, unknown>

/** Fills in the text of each amount: `text` for `amount_minor`, `total_text` for `total_minor`. */
export function withTexts<V extends Priced>(value: V): V {
  const texts = Object.entries(value).flatMap(([key, minor]) =>
    typeof minor === 'number' && key.endsWith('_minor')
      ? [[textKeyOf(key), money(minor, value.currency)] as const]
      : [],
  )
  return { ...value, ...Object.fromEntries(texts) }
}

const textKeyOf = (key: string) =>
  key === 'amount_minor' ? 'text' : key.replace(/_minor$/, '_text')

/** Fills in `…_local` for each of these instants, which may be null. */
export function withLocalTimes<V extends object, K extends string & keyof V>(
  value: V,
  timezone: string,
  keys: readonly K[],
): V & Record<`${K}_local`, string | null> {
  const twins = keys.map((key) => {
    const at = value[key]
    return [`${key}_local`, typeof at === 'string' ? zonedTime(timezone, new Date(at)) : null]
  })
  return { ...value, ...Object.fromEntries(twins) }
}
