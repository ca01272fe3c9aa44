import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import type { Context } from '../../contract/operation.ts'
import { agentCardPath, agentNamePattern, capabilityPattern } from '../rules/agents.ts'
import { type Agent, visibilities } from '../schema/agents.ts'
import type { AgentRow } from '../store/agents.ts'

/** What operations on agents take, under the same names everywhere. */
export const name = z
  .string()
  .regex(
    agentNamePattern,
    'expected 1 to 100 letters, digits, `.`, `_`, `-`, the first no separator',
  )
  .describe('The name in `agent://<agent_name>`; case does not tell names apart')
export const description = text(500).describe('What the agent does, for people and for models')
export const capabilities = z
  .array(
    z
      .string()
      .max(50)
      .regex(capabilityPattern, 'expected lower-case words with `.`, `-` or `_` between them'),
  )
  .max(20)
  .describe('What it can be asked for: lower-case words with `.`, `-` or `_` between them')
  .meta({ examples: [['booking', 'travel.planning']] })
export const version = z
  .string()
  .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, 'expected three numbers with dots between them')
  .describe('Version of the agent, as its card says it')
  .meta({ examples: ['1.0.0'] })
export const visibility = z
  .enum(visibilities)
  .describe('`public`: listed, and its Agent Card is published; `private`: nobody else sees it')

const MOST_URL_CHARS = 2048
const address = z
  .string()
  .max(MOST_URL_CHARS)
  .refine(isAddress, 'expected an http(s) URL without user name and password')
  .nullable()

function isAddress(given: string): boolean {
  const url = URL.parse(given)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
}

export const a2aUrl = address.describe('Where the agent takes A2A messages')
export const mcpUrl = address.describe('Where the agent is an MCP server')
export const homepage = address.describe('A page about it for people')
export const afterName = z.string().max(200).optional()

/** An agent as this caller sees it. */
export const presentAgent = (ctx: Context, row: AgentRow): Agent => ({
  id: `agent://${row.name}`,
  name: row.name,
  description: row.description,
  capabilities: row.capabilities,
  version: row.version,
  visibility: row.is_public ? 'public' : 'private',
  a2a_url: row.a2a_url,
  mcp_url: row.mcp_url,
  homepage: row.homepage,
  card_url: row.is_public ? cardUrlOf(ctx, row) : null,
  yours: row.account_id !== null && row.account_id === ctx.account?.id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** Where the card of a public agent is. */
export const cardUrlOf = (
  { settings }: Pick<Context, 'settings'>,
  row: Pick<AgentRow, 'name' | 'card_url'>,
): string => row.card_url ?? settings.publicUrl + agentCardPath(row.name)
