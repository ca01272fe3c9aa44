import assets from './known-assets.json' with { type: 'json' }

/** The terms of x402 payments: chain, asset, recipient and rates. */
export type X402Terms = {
  /** CAIP-2, as `eip155:84532` */
  network: `${string}:${string}`
  asset: { address: string; name: string; version: string }
  payTo: string
  /** units of a currency per unit of the asset, in decimal notation */
  rates: Readonly<Record<string, string>>
}

/** The number of decimals in USDC. */
export const ASSET_DIGITS = 6
/** How long an authorisation is valid; longer than a settlement takes. */
export const PAYMENT_SECONDS = 120
/** How far a payer's clock may be ahead. */
const CLOCK_SECONDS = 60
/** How long a quote remains payable. */
export const QUOTE_SECONDS = 600

/** Assets that x402 clients support by default, by network. */
export const knownAssets: Readonly<Record<string, X402Terms['asset']>> = assets

const testNetworks: readonly string[] = ['eip155:84532']

/** Whether payments are in money that is worth nothing. */
export const isTestNetwork = ({ network }: X402Terms): boolean => testNetworks.includes(network)

/** The names of networks in version 1 of the protocol. */
export const namesInV1: Readonly<Record<string, string>> = {
  'eip155:84532': 'base-sepolia',
  'eip155:8453': 'base',
}

type Life = { validAfter: string; validBefore: string }

/** Why a validity period is refused; undefined if it has begun and ends in time. */
export function lifeFault({ validAfter, validBefore }: Life, at: Date): string | undefined {
  const now = at.getTime() / 1000
  if (Number(validAfter) > now) return 'authorization_not_yet_valid'
  if (Number(validBefore) <= now) return 'authorization_expired'
  const isBounded = Number(validBefore) <= now + PAYMENT_SECONDS + CLOCK_SECONDS
  return isBounded ? undefined : 'authorization_too_long'
}
