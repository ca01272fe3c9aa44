import { expect, test } from 'vitest'
import { kindOf, metadataFault, predefinedName, showClient } from '../../src/oauth/rules/clients.ts'
import { audienceOf } from '../../src/oauth/rules/resources.ts'

const name = 'Assistant'
const faultOf = (uri: string) => metadataFault({ client_name: name, redirect_uris: [uri] })

test.each([
  ['https://assistant.example/callback', true],
  ['http://localhost/callback', true],
  ['http://127.0.0.1:8080/callback', true],
  ['http://[::1]/callback', true],
  ['cursor://anysphere.cursor-mcp/oauth/callback', true],
  ['http://assistant.example/callback', false],
  ['http://localhost.assistant.example/callback', false],
  ['http://127.0.0.1@assistant.example/callback', false],
  ['HTTP://assistant.example/callback', false],
])('a code may be sent to %s: %s', (uri, isAllowed) => {
  expect(faultOf(uri) === undefined).toBe(isAllowed)
})

test('a client says who it is, briefly', () => {
  expect(metadataFault({ client_id: 'https://a.example/c.json' })).toMatch('client_name')
  expect(metadataFault({ client_name: 'x'.repeat(101) })).toMatch('client_name')
  expect(metadataFault({ client_name: 'a\nb' })).toMatch('client_name')
  expect(metadataFault({ redirect_uris: Array(21).fill('https://a.example/') })).toMatch('20')
})

test.each([
  ['https://claude.ai/oauth/client', 'document'],
  ['registered-abc', 'registered'],
  ['partner', 'predefined'],
])('%s is a %s client', (id, kind) => {
  expect(kindOf(id)).toBe(kind)
  expect(predefinedName.test(id)).toBe(kind === 'predefined')
})

test('people see the host that nobody can take from a client', () => {
  const shown = showClient(
    { clientId: 'https://claude.ai/oauth/client', clientName: ' Claude ' },
    'http://localhost:5/callback',
  )
  const expected = { name: 'Claude', host: 'claude.ai', redirectHost: 'localhost:5' }
  expect(shown).toMatchObject({ ...expected, isLoopback: true })
  const registered = { clientId: 'registered-x', clientName: 'Claude' }
  expect(showClient(registered, 'https://evil.example/cb').host).toBe('evil.example')
  expect(showClient(registered, 'cursor://mcp/cb').host).toBe('cursor:')
  expect(showClient({ clientId: 'registered-x' }, 'https://a.example/cb').name).toBe('a.example')
})

test.each([
  ['https://n.example/mcp', 'mcp'],
  ['https://N.example/mcp/', 'mcp'],
  ['https://n.example/mcp/sse', 'mcp'],
  ['https://n.example/api', 'api'],
  ['https://n.example', undefined],
  ['https://n.example/mcp/other', undefined],
  ['https://evil.example/mcp', undefined],
  ['mcp', undefined],
])('%s names the door %s', (resource, audience) => {
  expect(audienceOf('https://n.example', resource)).toBe(audience)
})
