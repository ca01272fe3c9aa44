import type { Context } from '../../contract/define.ts'
import { headersContext } from '../store/endpoints.ts'

/** Custom headers of an endpoint as they are stored: names in lower case, everything else sealed. */
export function sealHeaders(
  { egress }: Context,
  endpointId: string,
  headers: Record<string, string>,
): { headerNames: string[]; headers: string | null } {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  if (entries.length === 0) return { headerNames: [], headers: null }
  const plain = JSON.stringify(Object.fromEntries(entries))
  const headerNames = entries.flatMap(([name = '']) => [name]).sort()
  return { headerNames, headers: egress.seal(plain, headersContext(endpointId)) }
}

/** The custom headers of an endpoint by their names in lower case. */
export function openHeaders(
  { egress }: Context,
  endpointId: string,
  sealed: string | null,
): Record<string, string> {
  return sealed === null ? {} : JSON.parse(egress.open(sealed, headersContext(endpointId)))
}
