import type { Config } from '../config/config.ts'
import { x402TermsOf } from '../config/x402-variables.ts'
import { createLocalFacilitator } from '../local/x402/facilitator.ts'
import type { Pool } from '../platform/database/sql.ts'
import { createOutbound } from '../platform/http/client.ts'
import { connectorPolicy } from '../platform/http/target.ts'
import type { Facilitator } from '../x402/rules/facilitator.ts'
import { createRemoteFacilitator } from '../x402/steps/remote-facilitator.ts'

/** Verifies and settles x402 payments; undefined if the network accepts none. */
export function openFacilitator(
  config: Config,
  db: Pool,
): { facilitator: Facilitator; close?(): Promise<void> } | undefined {
  const terms = x402TermsOf(config)
  if (!terms) return undefined
  const { X402_FACILITATOR: url, X402_RPC_URL: rpcUrl, X402_API_KEY: apiKey } = config
  if (url === 'local') return { facilitator: createLocalFacilitator(db, terms) }
  if (!rpcUrl) throw new Error('X402_RPC_URL must be given with X402_FACILITATOR')
  const outbound = createOutbound(connectorPolicy(config))
  const facilitator = createRemoteFacilitator({ url, rpcUrl, apiKey, outbound })
  return { facilitator, close: () => outbound.close() }
}
