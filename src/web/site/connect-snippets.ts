import { PROTOCOL } from '../../base/ids.ts'

const query = 'sushi in Canggu for 2 tomorrow at 7 pm'

/** A first call for each way to connect. They run as is, with `KEY` set in the environment. */
export function connectSnippets(publicUrl: string) {
  const authorization = '-H "Authorization: Bearer $KEY"'
  const envelope = { protocol: PROTOCOL, intent: 'booking.search', payload: { query } }
  const claude = `claude mcp add --transport http venue-network ${publicUrl}/mcp`
  return {
    MCP: `${claude} \\\n  --header "Authorization: Bearer $KEY"`,
    REST: [
      `curl --get ${publicUrl}/api/venues/search ${authorization} \\`,
      `  --data-urlencode "q=${query}"`,
    ].join('\n'),
    A2A: [
      `curl ${publicUrl}/a2a/v1 ${authorization} \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '${JSON.stringify(envelope)}'`,
    ].join('\n'),
    'Without a key': `curl "${publicUrl}/api/venues?area=canggu&limit=3"`,
  }
}
