import type { Context } from '../../contract/operation.ts'
import { headersContext } from '../store/endpoints.ts'

/** Custom headers in stored form: names in lower case, values sealed. */
export function sealHeaders(
  { egress }: Context,
  endpointId: string,
  headers: Record<string, string>,
) {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  if (lower.length === 0) return { header_names: [], headers: null }
  const plain = JSON.stringify(Object.fromEntries(lower))
  const header_names = lower.map(([name]) => name).sort()
  return { header_names, headers: egress.seal(plain, headersContext(endpointId)) }
}

/** Custom headers by their lower-case names. */
export const openHeaders = ({ egress }: Context, endpointId: string, sealed: string | null) =>
  sealed === null ? {} : JSON.parse(egress.open(sealed, headersContext(endpointId)))
