import type { Agent } from '../../../agents/schema/agents.ts'
import { choice, field } from '../../page/components.ts'
import { type FieldErrors, type FormRules, textFields } from '../../page/forms.ts'
import type { Html } from '../../page/html.ts'

/** The submitted form as input for the operations. Empty URLs become null. */
export const agentInput = (body: unknown) => {
  const { capabilities = '' } = textFields(body, ['capabilities'])
  const noTexts = { description: '', version: '', visibility: '' }
  const noUrls = { a2a_url: null, mcp_url: null, homepage: null }
  return {
    ...noTexts,
    ...textFields(body, ['description', 'version', 'visibility']),
    ...noUrls,
    ...textFields(body, ['a2a_url', 'mcp_url', 'homepage']),
    capabilities: capabilities.split(/[\s,]+/).filter(Boolean),
  }
}
export type AgentInput = ReturnType<typeof agentInput>

export const agentForm: FormRules = {
  labels: { a2a_url: 'A2A URL', mcp_url: 'MCP URL' },
  codes: ['agent_name_taken', 'agent_name_reserved', 'agent_limit'],
  at: { agent_name_taken: 'name', agent_name_reserved: 'name' },
}

const visibilities = {
  public: 'Public: listed, with an Agent Card',
  private: 'Private: only you see it',
}

export const nameField = (value?: string, error?: string): Html =>
  field(
    'Name',
    { name: 'name', value, error, required: true, maxlength: 100, placeholder: 'concierge-bali' },
    'Letters, digits, dots, hyphens and underscores. It cannot be changed later.',
  )

const urlFields = [
  ['A2A URL', 'a2a_url', 'Where it accepts A2A messages. Optional.'],
  ['MCP URL', 'mcp_url', 'Its MCP server. Optional.'],
  ['Homepage', 'homepage', 'A web page about it. Optional.'],
] as const

const wordsHint =
  'Lower-case words separated by spaces. A word may contain dots, hyphens and underscores.'

export function agentFields(input: AgentInput | Agent, errors: FieldErrors = {}): Html[] {
  const description = { name: 'description', value: input.description, maxlength: 500 }
  const version = { name: 'version', value: input.version, required: true, maxlength: 20 }
  const words = {
    name: 'capabilities',
    value: input.capabilities.join(' '),
    maxlength: 1100,
    placeholder: 'booking travel.planning',
  }
  const does = 'What it does. People and models read it.'
  return [
    field('Description', { ...description, required: true, error: errors.description }, does),
    field('Capabilities', { ...words, error: errors.capabilities }, wordsHint),
    choice('Visibility', 'visibility', visibilities, input.visibility),
    field('Version', { ...version, error: errors.version }, 'Three numbers, such as 1.0.0.'),
    ...urlFields.map(([label, name, hint]) =>
      field(
        label,
        { name, type: 'url', value: input[name] ?? '', maxlength: 2048, error: errors[name] },
        hint,
      ),
    ),
  ]
}
