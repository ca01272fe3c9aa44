import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { keyProgram } from '../../src/commands/key-commands.ts'
import { toolDescriptions } from '../../src/doors/mcp/tools.ts'
import { runOperatorCommand } from '../support/commands.ts'
import { callOn, openStreamable } from '../support/mcp-streamable.ts'
import { bearer, jsonOf } from '../support/open-doors.ts'
import { addTestKey } from '../support/sandbox.ts'
import { test } from '../support/service.ts'

const file = resolve(import.meta.dirname, '../../deploy/directories/chatgpt-app-submission.json')
const submission = JSON.parse(readFileSync(file, 'utf8'))

const text = (maxLength: number, pattern = '\\S') => ({ type: 'string', maxLength, pattern })
const all = (properties: Record<string, object>, additionalProperties = false) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties,
})
const listOf = (length: number, items: object) => ({
  type: 'array',
  minItems: length,
  maxItems: length,
  items,
})
const isValid = (schema: object, value: unknown) => {
  const ajv = new Ajv2020({ allErrors: true })
  expect([ajv.validate(schema, value), ajv.errors]).toEqual([true, null])
}

const [isTrue, sentence] = [{ type: 'boolean' }, text(500)]
const testCase = (tools: object) =>
  all({
    description: sentence,
    user_prompt: sentence,
    file_attachment_urls: { const: null },
    tools_triggered: tools,
    expected_output: sentence,
    expected_output_url: { const: null },
  })

/** What the form takes: at most five positive cases and three negative ones, and hints in full. */
const submissionSchema = all({
  $schema: {
    const: 'https://developers.openai.com/apps-sdk/schemas/chatgpt-app-submission.v1.json',
  },
  schema_version: { const: 1 },
  app_info: all({
    display_name: text(30),
    subtitle: text(30),
    description: text(4_000),
    category: { enum: ['FOOD', 'LIFESTYLE', 'TRAVEL'] },
  }),
  tools: {
    type: 'object',
    additionalProperties: all({
      annotations: all({ readOnlyHint: isTrue, openWorldHint: isTrue, destructiveHint: isTrue }),
      justifications: all({
        read_only_justification: sentence,
        open_world_justification: sentence,
        destructive_justification: sentence,
      }),
    }),
  },
  test_cases: listOf(5, testCase(text(200))),
  negative_test_cases: listOf(3, testCase({ const: null })),
})

/** The parts of the MCP registry's server.json (2025-12-11) that a remote server has. */
const serverSchema = all({
  $schema: {
    const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  },
  name: text(200, '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$'),
  title: text(100),
  description: text(100),
  version: text(255, '^\\d+\\.\\d+\\.\\d+'),
  websiteUrl: text(255, '^https?://'),
  remotes: listOf(1, all({ type: { const: 'streamable-http' }, url: text(255, '^https?://') })),
})

test('the submission is valid, and has the tools as the network lists them', () => {
  isValid(submissionSchema, submission)
  const listed = toolDescriptions.map(({ name, annotations }) => {
    const { readOnlyHint, openWorldHint, destructiveHint } = annotations
    return [name, { readOnlyHint, openWorldHint, destructiveHint }]
  })
  const tools: Record<string, any> = submission.tools
  expect(Object.entries(tools).map(([name, { annotations }]) => [name, annotations])).toEqual(
    listed,
  )
})

test('server.json is what the registry takes, and its remote address works', async ({
  service,
}) => {
  const entry = await jsonOf(await fetch(`${service.url}/server.json`))
  isValid(serverSchema, entry)
  const path = new URL(entry.remotes[0].url).pathname
  const client = await openStreamable(`${service.url}${path}`, {})
  expect(client.getServerVersion()?.version).toBe(entry.version)
  await client.close()
})

type Output = Record<string, any>

/** What a model sends for each case: the input of each tool, which may need earlier answers. */
const inputs: readonly ((prompt: string) => Record<string, (last: Output) => Output>)[] = [
  (query) => ({ search_venues: () => ({ query }) }),
  () => ({
    check_availability: () => ({ venue: 'sandbox-spa', date: 'tomorrow', party_size: 2 }),
  }),
  () => ({
    confirm_booking: () => ({
      venue: 'sandbox-instant',
      slot_time: 'tomorrow 19:00',
      party_size: 2,
      guest: { name: 'Ayu' },
      notes: 'allergic to peanuts',
    }),
  }),
  () => ({
    list_bookings: () => ({ venue: 'sandbox-instant' }),
    amend_booking: ({ bookings: [{ id }] }) => ({
      booking_id: id,
      slot_time: '20:00',
      party_size: 3,
    }),
  }),
  () => ({
    list_bookings: () => ({ venue: 'sandbox-instant' }),
    cancel_booking: ({ bookings: [{ id }] }) => ({ booking_id: id }),
  }),
]

const results = [
  { interpretation: { category: 'restaurant', party_size: 2, time: '19:00' } },
  { party_size: 2, venue: { slug: 'sandbox-spa' } },
  { status: 'confirmed', booking: { guest_url: expect.stringMatching(/^http/) } },
  { booking: { party_size: 3, slot_time: expect.stringMatching(/T20:00/) } },
  { booking: { status: 'cancelled', fee: { status: 'reversed' } } },
]

test('a reviewer signs in with the printed password, and every case works', async ({ service }) => {
  const email = 'reviewer@example.com'
  const run = () => runOperatorCommand(keyProgram, service.config.DATABASE_URL, ['reviewer', email])
  const { code, output } = await run()
  expect(code, output).toBe(0)
  expect((await run()).output).toContain('take another address')
  const password = output.trimEnd().split('\n').at(-1) ?? ''
  const signedIn = await fetch(`${service.url}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
    headers: { origin: service.url },
    redirect: 'manual',
  })
  expect(signedIn.headers.get('location')).toMatch(/^\/dashboard/)

  const [accountId = ''] = /[0-9a-f-]{36}/.exec(output) ?? []
  const { key } = await addTestKey(service.db, accountId)
  const client = await openStreamable(`${service.url}/mcp`, { headers: bearer(key) })
  for (const [index, { user_prompt, tools_triggered }] of submission.test_cases.entries()) {
    const calls = inputs[index]?.(user_prompt) ?? {}
    expect(Object.keys(calls).join(', ')).toBe(tools_triggered)
    let last: Output = {}
    for (const [tool, inputOf] of Object.entries(calls)) {
      const { output, error } = await callOn(client, tool, inputOf(last))
      expect(error, tool).toBeNull()
      last = output
    }
    expect(last).toMatchObject(results[index] ?? {})
  }
  for (const { user_prompt } of submission.negative_test_cases) {
    const { output } = await callOn(client, 'search_venues', { query: user_prompt })
    expect(output.venues).toEqual([])
    expect(output.interpretation.not_covered.kinds).not.toEqual([])
  }
  await client.close()
})
