import type { Context } from '../../contract/operation.ts'
import { type EndpointTerms, headersContext } from '../store/endpoints.ts'

/** Custom headers as they are stored: names in lower case, values sealed. */
export function sealHeaders(
  { egress }: Context,
  endpointId: string,
  headers: Record<string, string>,
): Pick<EndpointTerms, 'header_names' | 'headers'> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  if (entries.length === 0) return { header_names: [], headers: null }
  const plain = JSON.stringify(Object.fromEntries(entries))
  const header_names = entries.flatMap(([name = '']) => [name]).sort()
  return { header_names, headers: egress.seal(plain, headersContext(endpointId)) }
}

/** Custom headers by their lower-case names. */
export function openHeaders(
  { egress }: Context,
  endpointId: string,
  sealed: string | null,
): Record<string, string> {
  return sealed === null ? {} : JSON.parse(egress.open(sealed, headersContext(endpointId)))
}
