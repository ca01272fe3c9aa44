import type { FastifyReply } from 'fastify'
import { deleteAgent } from '../../../agents/operations/delete-agent.ts'
import { getAgent, listOwnAgents } from '../../../agents/operations/read-agents.ts'
import { registerAgent } from '../../../agents/operations/register-agent.ts'
import { updateAgent } from '../../../agents/operations/update-agent.ts'
import type { Agent } from '../../../agents/schema/agents.ts'
import { refuse } from '../../../base/errors.ts'
import * as ui from '../../page/components.ts'
import { choice, field } from '../../page/components.ts'
import {
  doneNotice,
  type FieldErrors,
  type FormRules,
  paramsOf,
  textFields,
  tryForm,
  withQuery,
} from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import { type Page, redirectDone, showPage } from '../page.ts'

const PATH = '/dashboard/agents'

const sentences = {
  registered: 'Agent registered. Only your account can use its name.',
  changed: 'Saved. Cached cards may be up to a minute old.',
  deleted: 'Agent deleted. The name stays yours: you can register it again.',
}

/** A refused form and why it was refused. */
type Refused = { input: AgentInput; name?: string; refused: string; errors: FieldErrors }

/** `/dashboard/agents`: the account's agents, and a form that registers one. */
export const agents: Page = async (scope, { call }) => {
  async function show(reply: FastifyReply, draft?: Refused) {
    const { request } = reply
    const page = await call(request, listOwnAgents, textFields(request.query, ['cursor']))
    const { agents, next_cursor } = page
    const input = draft?.input ?? { ...agentInput({}), version: '1.0.0', visibility: 'public' }
    const fields = [
      ui.alert(draft?.refused),
      nameField(draft?.name, draft?.errors.name),
      ...agentFields(input, draft?.errors),
    ]
    const isOpen = agents.length === 0 || draft !== undefined
    const body = html`
<p>Only your account can send a registered name as <code>from</code>.
Public agents are ${ui.link('/api/agents/public', 'listed')}, each with an Agent Card.</p>
${ui.listTable('Agents', agents, columns, none)}
${ui.pager(next_cursor, (cursor) => withQuery(PATH, { cursor }))}
<details class="create"${isOpen && html` open`}>
<summary>Register an agent</summary>${ui.stackForm(PATH, 'Register agent', fields, 'main')}
</details>`
    return showPage(reply, 'Agents', body, { notice: doneNotice(request, sentences) })
  }

  scope.get(PATH, (_, reply) => show(reply))

  scope.post(PATH, async (request, reply) => {
    const { name = '' } = textFields(request.body, ['name'])
    const input = agentInput(request.body)
    const work = call(request, registerAgent, { name, ...input })
    const { output, refused, errors } = await tryForm(reply, work, agentForm)
    if (!output) return show(reply, { input, name, refused, errors })
    return redirectDone(reply, `${PATH}/${output.agent.name}`, 'registered')
  })
}

const none = ui.empty(
  'No agents yet',
  html`Register the name your agent sends as <code>from</code>.`,
)

const visibilityBadge = ({ visibility }: Agent) =>
  ui.badge(visibility, visibility === 'public' ? 'good' : 'quiet')

const columns: ui.Columns<Agent> = {
  Agent: ({ id, name, description }) =>
    html`${ui.rowLink(`${PATH}/${name}`, id)}<br>${ui.quiet(description)}`,
  Visibility: visibilityBadge,
  Capabilities: ({ capabilities }) => capabilities.join(', '),
  Version: ({ version }) => version,
  Changed: ({ updated_at }) => ui.when(updated_at),
}

/** `/dashboard/agents/{name}`: one agent of the account, and its forms. */
export const agent: Page = async (scope, { call }) => {
  async function show(reply: FastifyReply, draft?: Refused) {
    const { request } = reply
    const { agent } = await call(request, getAgent, paramsOf(request))
    if (!agent.yours) throw refuse('agent_not_found')
    const { id, name, card_url } = agent
    const path = `${PATH}/${name}`
    const envelope = { from: id, intent: 'network.ping', payload: {} }
    const fields = [ui.alert(draft?.refused), ...agentFields(draft?.input ?? agent, draft?.errors)]
    const body = html`
${ui.facts([
  ['Sender', ui.copyable(id)],
  ['Visibility', visibilityBadge(agent)],
  ['Agent Card', card_url && ui.link(card_url, card_url)],
  ['Registered', ui.when(agent.created_at)],
  ['Changed', ui.when(agent.updated_at)],
])}
<h2>As a sender</h2>
<p>In an A2A envelope, with a key of this account:</p>
${ui.codeBlock(ui.jsonText(envelope), 'Envelope')}
<h2>Change</h2>
${ui.stackForm(path, 'Save', fields, 'main')}
<h2>Delete</h2>
<p>${ui.link(`${path}/delete`, 'Delete this agent')}</p>`
    const notice = doneNotice(request, sentences)
    return showPage(reply, name, body, { notice, crumbs: [['Agents', PATH]] })
  }

  scope.get(`${PATH}/:name`, (_, reply) => show(reply))

  scope.post(`${PATH}/:name`, async (request, reply) => {
    const input = agentInput(request.body)
    const work = call(request, updateAgent, { ...paramsOf(request), ...input })
    const { output, refused, errors } = await tryForm(reply, work, agentForm)
    if (!output) return show(reply, { input, refused, errors })
    return redirectDone(reply, `${PATH}/${output.agent.name}`, 'changed')
  })

  scope.get(`${PATH}/:name/delete`, async (request, reply) => {
    const { agent } = await call(request, getAgent, paramsOf(request))
    if (!agent.yours) throw refuse('agent_not_found')
    const path = `${PATH}/${agent.name}`
    const body = html`
<p><code>${agent.id}</code> is no longer listed, and its card and everything published about it are
removed. The name stays yours.</p>
${ui.confirmForm(`${path}/delete`, 'Delete agent', [path, 'Keep the agent'])}`
    return showPage(reply, `Delete ${agent.name}?`, body)
  })

  scope.post(`${PATH}/:name/delete`, async (request, reply) => {
    await call(request, deleteAgent, paramsOf(request))
    return redirectDone(reply, PATH, 'deleted')
  })
}

/** The submitted form as input for the operations. Empty URLs become null. */
const agentInput = (body: unknown) => {
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
type AgentInput = ReturnType<typeof agentInput>

const agentForm: FormRules = {
  labels: { a2a_url: 'A2A URL', mcp_url: 'MCP URL' },
  codes: ['agent_name_taken', 'agent_name_reserved', 'agent_limit'],
  at: { agent_name_taken: 'name', agent_name_reserved: 'name' },
}

const visibilities = {
  public: 'Public: listed, with an Agent Card',
  private: 'Private: only you see it',
}

const nameField = (value?: string, error?: string): Html =>
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

function agentFields(input: AgentInput | Agent, errors: FieldErrors = {}): Html[] {
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
