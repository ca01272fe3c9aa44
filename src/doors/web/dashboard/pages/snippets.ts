import { PROTOCOL } from '../../../../contract/rules/ids.ts'
import { jsonText } from '../../components.ts'

const PARTY = 2

/** One first request, the availability of a venue, in several languages. Each runs as it is. */
export function firstCallSnippets(publicUrl: string, key: string, slug: string) {
  const url = `${publicUrl}/api/venues/${slug}/availability?party_size=${PARTY}`
  const mcpServer = {
    type: 'sse',
    url: `${publicUrl}/mcp/sse`,
    headers: { Authorization: `Bearer ${key}` },
  }
  const envelope = {
    protocol: PROTOCOL,
    from: 'agent://my-agent',
    intent: 'venue.availability',
    payload: { slug, party_size: PARTY },
  }
  return [
    { label: 'curl', code: `curl "${url}" \\\n  -H "Authorization: Bearer ${key}"` },
    {
      label: 'TypeScript',
      code: `const response = await fetch('${url}', {
  headers: { authorization: 'Bearer ${key}' },
})
console.log(await response.json())`,
    },
    {
      label: 'Python',
      code: `import json
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    headers={"Authorization": "Bearer ${key}"},
)
with urlopen(request) as response:
    print(json.load(response))`,
    },
    { label: 'MCP', code: jsonText({ mcpServers: { 'venue-network': mcpServer } }) },
    {
      label: 'A2A',
      code: `curl "${publicUrl}/a2a/v1" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${jsonText(envelope)}'`,
    },
  ]
}
