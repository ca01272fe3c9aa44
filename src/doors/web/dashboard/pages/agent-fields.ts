import type { Agent } from '../../../../agents/schema/agents.ts'
import type { ErrorCode } from '../../../../contract/rules/error-catalogue.ts'
import { choice, field } from '../../components/form.ts'
import { type Html, html } from '../../html.ts'
import { given } from '../../query.ts'

/** What a form says of an agent, in the words of the operations; addresses that were left empty are none. */
export const agentWish = (body: unknown) => {
  const said = given(body, [
    'description',
    'capabilities',
    'version',
    'visibility',
    'a2a_url',
    'mcp_url',
    'homepage',
  ])
  return {
    description: said.description ?? '',
    capabilities: (said.capabilities ?? '').split(/[\s,]+/).filter(Boolean),
    version: said.version ?? '',
    visibility: said.visibility ?? '',
    a2a_url: said.a2a_url ?? null,
    mcp_url: said.mcp_url ?? null,
    homepage: said.homepage ?? null,
  }
}
export type AgentWish = ReturnType<typeof agentWish>

/** What a form says before anybody has filled it in. */
export const freshAgent: AgentWish = {
  ...agentWish({}),
  version: '1.0.0',
  visibility: 'public',
}

/** What its form calls the fields of the operations. */
export const agentLabels = { a2a_url: 'A2A address', mcp_url: 'MCP address' }
/** What a change of the form can mend, beside a field that is not as expected. */
export const agentRefusals: readonly ErrorCode[] = [
  'agent_name_taken',
  'agent_name_reserved',
  'agent_limit',
]

const visibilities = {
  public: 'Public: listed, with an Agent Card',
  private: 'Private: nobody else sees it',
}

/** What is said of an agent, as fields of a form. */
export const agentFields = (wish: AgentWish | Agent): Html => html`
${field('Description', { name: 'description', value: wish.description, required: true, maxlength: 500 }, 'What it does. People and models read it.')}
${field('Capabilities', { name: 'capabilities', value: wish.capabilities.join(' '), maxlength: 1100, placeholder: 'booking travel.planning' }, 'Lower-case words separated by spaces. Dots, hyphens and underscores are allowed inside a word.')}
${choice('Visibility', 'visibility', visibilities, wish.visibility)}
${field('Version', { name: 'version', value: wish.version, required: true, maxlength: 20 }, 'Three numbers, such as 1.0.0.')}
${address('A2A address', 'a2a_url', wish.a2a_url, 'Where it accepts A2A messages. Optional.')}
${address('MCP address', 'mcp_url', wish.mcp_url, 'Its MCP server. Optional.')}
${address('Homepage', 'homepage', wish.homepage, 'A web page about it. Optional.')}`

const address = (label: string, name: string, value: string | null, hint: string): Html =>
  field(label, { name, type: 'url', value: value ?? '', maxlength: 2048 }, hint)
