import { PROTOCOL } from '../../../../contract/rules/ids.ts'

const PARTY = 2

export type Snippet = { label: string; code: string }

/** The same first call, a venue's availability, in whatever a developer has at hand; each runs as it is. */
export function firstCallSnippets(publicUrl: string, key: string, slug: string): Snippet[] {
  const url = `${publicUrl}/api/venues/${slug}/availability?party_size=${PARTY}`
  return [
    { label: 'curl', code: `curl "${url}" \\\n  -H "Authorization: Bearer ${key}"` },
    { label: 'TypeScript', code: typescript(url, key) },
    { label: 'Python', code: python(url, key) },
    { label: 'MCP', code: mcp(publicUrl, key) },
    { label: 'A2A', code: a2a(publicUrl, key, slug) },
  ]
}

const typescript = (url: string, key: string) => `const response = await fetch('${url}', {
  headers: { authorization: 'Bearer ${key}' },
})
console.log(await response.json())`

const python = (url: string, key: string) => `import json
from urllib.request import Request, urlopen

request = Request(
    "${url}",
    headers={"Authorization": "Bearer ${key}"},
)
with urlopen(request) as response:
    print(json.load(response))`

/** For the configuration file of an MCP client that takes servers by address. */
const mcp = (publicUrl: string, key: string) =>
  JSON.stringify(
    {
      mcpServers: {
        'venue-network': {
          type: 'sse',
          url: `${publicUrl}/mcp/sse`,
          headers: { Authorization: `Bearer ${key}` },
        },
      },
    },
    null,
    2,
  )

function a2a(publicUrl: string, key: string, slug: string): string {
  const envelope = {
    protocol: PROTOCOL,
    from: 'agent://my-agent',
    intent: 'venue.availability',
    payload: { slug, party_size: PARTY },
  }
  return `curl "${publicUrl}/a2a/v1" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(envelope, null, 2)}'`
}
