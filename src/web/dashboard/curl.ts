import type { RequestDetails } from '../../accounts/schema/usage.ts'
import { withQuery } from '../page/forms.ts'
import { quoted } from './payload-view.ts'

type RecordedRequest = Pick<RequestDetails, 'request' | 'sent'>

/** The request as a curl command, with the key in `$API_KEY`; null if too little was recorded. */
export function curlOf({ request, sent }: RecordedRequest, publicUrl: string): string | null {
  const { method, path, door } = request
  if (method === null || path === null || sent === null) return null
  const { headers, query, body } = sent
  const isMcp = door === 'mcp'
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
  // The older transport's session ends with its stream, so the command uses `/mcp`.
  const address = isMcp ? '/mcp' : withQuery(path, Object.fromEntries(texts))
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(publicUrl + address)}`,
    '-H "Authorization: Bearer $API_KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(isMcp ? ["-H 'Accept: application/json, text/event-stream'"] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `--data-raw ${quoted(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}
