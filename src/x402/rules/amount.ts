import { minorDigits } from '../../base/money.ts'
import { ASSET_DIGITS } from './terms.ts'

const scaled = (decimal: string): { digits: bigint; scale: number } => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/**
 * Converts a price in minor units of its currency to an amount in the asset's smallest units,
 * rounded up and at least 1. `rate`: units of the currency per unit of the asset.
 */
export function toAssetAmount(minor: number, currency: string, rate: string): bigint {
  const { digits, scale } = scaled(rate)
  const numerator = BigInt(minor) * 10n ** BigInt(ASSET_DIGITS + scale)
  const denominator = digits * 10n ** BigInt(minorDigits(currency))
  const amount = (numerator + denominator - 1n) / denominator
  return amount > 0n ? amount : 1n
}

/** An amount of the asset as people read it: `0.390625 USDC`. */
export function assetText(amount: bigint): string {
  const text = amount.toString().padStart(ASSET_DIGITS + 1, '0')
  const fraction = text.slice(-ASSET_DIGITS).replace(/0{1,4}$/, '')
  return `${text.slice(0, -ASSET_DIGITS)}.${fraction} USDC`
}
