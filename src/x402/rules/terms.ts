/** What the network takes by x402: where, in which asset, for which recipient. */
export type X402Terms = {
  /** CAIP-2, as `eip155:84532` */
  network: `${string}:${string}`
  asset: { address: string; name: string; version: string }
  payTo: string
  /** units of a currency for one unit of the asset, as decimal text */
  rates: Readonly<Record<string, string>>
}

/** The digits of USDC after the point. */
export const ASSET_DIGITS = 6
/** How long an authorisation that pays is good for: longer than a settlement takes. */
export const PAYMENT_SECONDS = 120
/** How long a quote can be paid. */
export const QUOTE_SECONDS = 600

/** Assets that x402 clients know without being told, by network. */
export const knownAssets: Readonly<Record<string, X402Terms['asset']>> = {
  'eip155:84532': {
    address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    name: 'USDC',
    version: '2',
  },
  'eip155:8453': {
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    name: 'USD Coin',
    version: '2',
  },
}

/** The names of networks in version 1 of the protocol. */
export const namesInV1: Readonly<Record<string, string>> = {
  'eip155:84532': 'base-sepolia',
  'eip155:8453': 'base',
}
