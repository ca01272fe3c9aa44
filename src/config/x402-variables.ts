import { z } from 'zod'
import { knownAssets, type X402Terms } from '../x402/rules/terms.ts'
import localRates from './x402-local-rates.json' with { type: 'json' }

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')

const rates = z
  .string()
  .transform((list) =>
    Object.fromEntries(
      list
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((pair) => pair.split('=') as [string, string]),
    ),
  )
  .pipe(
    z.record(
      z.string().regex(/^[A-Z]{3}$/, 'must be CUR=units for one USDC, as in IDR=16400'),
      z.string().regex(/^(?=.*[1-9])\d{1,12}(\.\d{1,8})?$/, 'must be a decimal above 0'),
    ),
  )

/** The environment variables for x402 payments. */
export const x402Variables = {
  X402_FACILITATOR: z
    .union([z.enum(['none', 'local']), z.url({ protocol: /^https?$/ })])
    .default('none'),
  X402_API_KEY: z.string().optional(),
  X402_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  X402_PAY_TO: address.optional(),
  X402_NETWORK: z
    .templateLiteral(['eip155:', z.string().regex(/^\d{1,10}$/)])
    .default('eip155:84532'),
  X402_ASSET: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}:[^:]+:[^:]+$/, 'must be address:name:version')
    .optional(),
  X402_RATES: rates.optional(),
}

type Variables = z.output<z.ZodObject<typeof x402Variables>>

const takesPayments = ({ X402_FACILITATOR: facilitator }: Variables) => facilitator !== 'none'
const isRemote = ({ X402_FACILITATOR: facilitator }: Variables) => facilitator.startsWith('http')

/** Reports each missing variable, and each that would only pretend to collect money. */
export function checkX402(
  variables: Variables & { NODE_ENV: string },
  ctx: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  const wrong = (name: keyof Variables, message: string) =>
    ctx.addIssue({ code: 'custom', path: [name], message })
  const { NODE_ENV, X402_FACILITATOR: facilitator, X402_NETWORK, X402_ASSET } = variables
  if (!takesPayments(variables)) return
  if (!isRemote(variables)) {
    if (NODE_ENV === 'production') {
      wrong('X402_FACILITATOR', 'must not be local in production: its money is not real')
    }
    return
  }
  if (NODE_ENV === 'production' && !facilitator.startsWith('https:')) {
    wrong('X402_FACILITATOR', 'must be https in production')
  }
  const required = ['X402_PAY_TO', 'X402_RPC_URL', 'X402_RATES'] as const
  for (const name of required)
    if (!variables[name]) wrong(name, 'must be given with X402_FACILITATOR')
  if (!X402_ASSET && !knownAssets[X402_NETWORK]) {
    wrong('X402_ASSET', `must be given: ${X402_NETWORK} has no known asset`)
  }
}

/** A wallet whose key nobody has; payments to it stay in the local ledger. */
const LOCAL_PAY_TO = '0x00000000000000000000000000000000000402ff'

/** The payments that the network accepts; null if it accepts none. */
export function x402TermsOf(config: Variables): X402Terms | null {
  if (!takesPayments(config)) return null
  const { X402_NETWORK: network, X402_ASSET: assetName } = config
  const [address, name, version] = assetName?.split(':') ?? []
  const asset = address && name && version ? { address, name, version } : knownAssets[network]
  if (!asset) throw new Error(`${network} has no known asset: set X402_ASSET`)
  // The local rates are for development machines; nothing depends on their accuracy.
  const { X402_PAY_TO: payTo = LOCAL_PAY_TO, X402_RATES: ratesByCurrency = localRates } = config
  // Each known asset is worth one US dollar.
  const rates = assetName ? ratesByCurrency : { USD: '1', ...ratesByCurrency }
  return { network, asset, payTo, rates }
}
