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
  ['com.example.app:/callback', true],
  ['https://assistant.example?x=1', true],
  ['https://user:word@assistant.example/callback', false],
  ['https:assistant.example/callback', false],
  ['https:/\\assistant.example/callback', false],
  ['ftp://assistant.example/callback', false],
  ['wss://assistant.example/callback', false],
  ['mailto:a@assistant.example', false],
  ['view-source:https://assistant.example/', false],
  ['filesystem:https://assistant.example/', false],
  ['intent://assistant.example/', false],
  ['ms-settings:privacy', false],
  [`https://assistant.example/${'x'.repeat(2048)}`, false],
])('a code may be sent to %s: %s', (uri, isAllowed) => {
  expect(faultOf(uri) === undefined).toBe(isAllowed)
})

test('a client says who it is, briefly', () => {
  expect(metadataFault({ client_id: 'https://a.example/c.json' })).toMatch('client_name')
  expect(metadataFault({ client_name: 'x'.repeat(101) })).toMatch('client_name')
  expect(metadataFault({ client_name: 'Claude Code (venue-network), é 東京' })).toBeUndefined()
  for (const odd of [
    'a\nb',
    'il” Approved by us',
    '\u200b',
    'a\u202eb',
    'https://a.example',
    '-',
    1,
  ]) {
    expect(metadataFault({ client_name: odd })).toMatch('client_name')
  }
  for (const redirect_uris of ['https://a.example/x', {}, [1]]) {
    expect(metadataFault({ redirect_uris })).toMatch('redirect_uris')
  }
  for (const software_id of ['a\u0000', '\ud800']) {
    expect(metadataFault({ software_id })).toMatch('characters')
  }
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
  expect(shown).toMatchObject({ ...expected, isLocal: true, isKnown: false })
  const registered = { clientId: 'registered-x', clientName: 'Claude' }
  expect(showClient(registered, 'https://evil.example/cb').host).toBe('evil.example')
  expect(showClient(registered, 'cursor://mcp/cb').host).toBe('cursor:')
  expect(showClient({ clientId: 'registered-x' }, 'https://a.example/cb').name).toBe('a.example')
})

test.each([
  ['https://claude.ai/api/mcp/auth_callback', true, false],
  ['https://chatgpt.com/connector/oauth/x-1', true, false],
  ['https://claude.ai/api/mcp/auth_callback?x=1', false, false],
  ['https://claude.ai/share/x', false, false],
  ['https://chatgpt.com/connector/oauth/x/../../../share', false, false],
  ['https://vscode.dev/redirect', false, true],
  ['cursor://anysphere/back', false, true],
  ['https://assistant.example/back', false, false],
])('who gets what is sent to %s is known: %s, a program here: %s', (uri, isKnown, isLocal) => {
  expect(showClient({ clientId: 'registered-x' }, uri)).toMatchObject({ isKnown, isLocal })
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
