import { randomBytes } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { textOf } from './content-fixtures.ts'

type ElicitParams = Parameters<typeof inputRequired.elicit>[0]
type Fields = Extract<ElicitParams['requestedSchema'], { properties: object }>['properties']

export const stateCodec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) })

const ask = (message: string, properties: Fields, required = Object.keys(properties)) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required } })
const sample = (text: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: textOf(text) }],
    maxTokens: 100,
  })
const name = { name: { type: 'string' } } as const
const titled = (...values: string[]) => values.map((one) => ({ const: one, title: `The ${one}` }))

const defaults: Fields = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}
const enums: Fields = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('value1', 'value2', 'value3') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2'] } },
  titledMulti: { type: 'array', items: { anyOf: titled('value1', 'value2', 'value3') } },
}

/** The inputs that each of the suite's tools requests from its client. */
const toolInputs: Record<string, InputRequests> = {
  test_elicitation_sep1034_defaults: { form: ask('Review the form', defaults, []) },
  test_elicitation_sep1330_enums: { form: ask('Select options', enums, []) },
  test_missing_capability: { question: sample('What is it?') },
  test_streaming_elicitation: { user_name: ask('What is your name?', name) },
  test_input_required_result_elicitation: { user_name: ask('What is your name?', name) },
  test_input_required_result_sampling: { capital_question: sample('The capital of France?') },
  test_input_required_result_list_roots: { client_roots: inputRequired.listRoots() },
}
/** Inputs requested along with a state that the client must send back. */
const statefulInputs: Record<string, InputRequests[]> = {
  test_input_required_result_request_state: [
    { confirm: ask('Please confirm', { ok: { type: 'boolean' } }) },
  ],
  test_input_required_result_tampered_state: [
    { confirm: ask('Please confirm', { ok: { type: 'boolean' } }) },
  ],
  test_input_required_result_multiple_inputs: [
    {
      user_name: ask('What is your name?', name),
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    },
  ],
  test_input_required_result_multi_round: [
    { step1: ask('What is your name?', name) },
    { step2: ask('What is your favorite color?', { color: { type: 'string' } }) },
  ],
}

const missingOf = (inputs: InputRequests, { mcpReq }: ServerContext) =>
  Object.entries(inputs).filter(
    ([key]) => inputResponse(mcpReq.inputResponses, key).kind === 'missing',
  )
const completed = ({ mcpReq }: ServerContext) => ({
  content: [textOf(`state-ok ${JSON.stringify(mcpReq.inputResponses)}`)],
})

/** Requests what is missing, or completes. */
function collect(inputs: InputRequests, ctx: ServerContext) {
  const missing = missingOf(inputs, ctx)
  if (missing.length === 0) return completed(ctx)
  return inputRequired({ inputRequests: Object.fromEntries(missing) })
}

/** Requests input once per round, and completes after the last. */
async function collectInRounds(rounds: InputRequests[], ctx: ServerContext) {
  const round = ctx.mcpReq.requestState<{ round: number }>()?.round ?? 0
  const answered = round > 0 && missingOf(rounds[round - 1] ?? {}, ctx).length === 0
  const next = round === 0 || answered ? round : round - 1
  const inputRequests = rounds[next]
  if (!inputRequests) return completed(ctx)
  return inputRequired({
    inputRequests,
    requestState: await stateCodec.mint({ round: next + 1 }),
  })
}

/** Tools and a prompt that request input from their client, under the suite's names. */
export function addInputTools(server: McpServer): void {
  for (const [tool, inputs] of Object.entries(toolInputs)) {
    server.registerTool(tool, { description: tool }, (ctx) => collect(inputs, ctx))
  }
  for (const [tool, rounds] of Object.entries(statefulInputs)) {
    server.registerTool(tool, { description: tool }, (ctx) => collectInRounds(rounds, ctx))
  }
  server.registerTool(
    'test_sampling',
    { description: 'samples', inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, ctx) => collect({ answer: sample(prompt) }, ctx),
  )
  server.registerTool(
    'test_elicitation',
    { description: 'asks', inputSchema: z.object({ message: z.string() }) },
    ({ message }, ctx) => collect({ answer: ask(message, { response: { type: 'string' } }) }, ctx),
  )
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'asks for what the client can do' },
    (ctx) => {
      const { sampling, elicitation } = capabilitiesOf(ctx)
      return collect(
        {
          ...(sampling !== undefined && { question: sample('What is it?') }),
          ...(elicitation !== undefined && { user_name: ask('What is your name?', name) }),
        },
        ctx,
      )
    },
  )
  server.registerPrompt('test_input_required_result_prompt', { description: 'asks' }, (ctx) => {
    const context = ask('What context should the prompt use?', { context: { type: 'string' } })
    const result = collect({ user_context: context }, ctx)
    if ('inputRequests' in result) return result
    return { messages: [{ role: 'user', content: textOf('With context') }] }
  })
}

const capabilitiesOf = ({ mcpReq }: ServerContext) => {
  const envelope: Record<string, unknown> = mcpReq.envelope ?? {}
  return z.looseObject({}).parse(envelope[CLIENT_CAPABILITIES_META_KEY])
}
