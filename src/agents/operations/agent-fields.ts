import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { visibleText } from '../../contract/fields.ts'
import type { Context } from '../../contract/operation.ts'
import { parseTarget, subscriberPolicy } from '../../platform/http/target.ts'
import { agentCardPath, agentNamePattern, capabilityPattern } from '../rules/agents.ts'
import { type Agent, agent } from '../schema/agents.ts'
import type { AgentRow } from '../store/agents.ts'

const publicOnly = subscriberPolicy({ NODE_ENV: 'production', HOST: '', OUTBOUND_SOCKETS: 1 })

/** Input fields of the operations on agents. */
export const name = z
  .string()
  .regex(
    agentNamePattern,
    'expected 1 to 100 letters, digits, `.`, `_`, `-`, beginning with a letter or digit',
  )
  .describe('The name in `agent://<agent_name>`, unique without regard to case')
export const description = visibleText(500)
  .refine(
    (text) => !/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u.test(text),
    'expected one line without control, format or private characters',
  )
  .describe('What the agent does, in one line, for people and for models')
export const capabilities = z
  .array(
    z
      .string()
      .max(50)
      .regex(capabilityPattern, 'expected lower-case words joined by `.`, `-` or `_`'),
  )
  .max(20)
  .describe('What the agent can do: lower-case words joined by `.`, `-` or `_`')
  .meta({ examples: [['booking', 'travel.planning']] })
export const version = z
  .string()
  .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, 'expected three numbers with dots between them')
  .describe('Version of the agent, shown on its card')
  .meta({ examples: ['1.0.0'] })
export const visibility = agent.shape.visibility.describe(
  '`public`: listed, and its Agent Card is published; `private`: only your account sees it',
)

/** Spaces and invisible or bidirectional characters, which a URL parser drops or hides. */
const HIDDEN = /[\p{C}\p{Z}]/u

/** The URL as browsers send it, with other scripts in Punycode or percent-encoded. */
const plainUrl = (url: string): string => (HIDDEN.test(url) ? url : (URL.parse(url)?.href ?? url))

const address = z
  .string()
  .overwrite(plainUrl)
  .max(2048)
  .refine(isPublicUrl, 'expected an https URL of a public host, without user name and password')
  .nullable()

/** Others will follow this URL, so it must not point into a private network. */
function isPublicUrl(url: string): boolean {
  try {
    parseTarget(url, publicOnly)
    return !HIDDEN.test(url)
  } catch {
    return false
  }
}

export const a2aUrl = address.describe('URL at which the agent receives A2A messages')
export const mcpUrl = address.describe('URL of the agent as an MCP server')
export const homepage = address.describe('A web page about the agent')

/** An agent as the caller may see it. */
export const presentAgent = (ctx: Context, row: AgentRow): Agent => ({
  ...row,
  card_url: row.visibility === 'public' ? cardUrlOf(ctx, row) : null,
  yours: row.account_id !== null && row.account_id === ctx.account?.id,
})

/** The URL of a public agent's card. */
export const cardUrlOf = ({ settings }: Context, { name, card_url }: AgentRow) =>
  card_url ?? settings.publicUrl + agentCardPath(name)

/** The agents of a page, whose cursor is the name before them; throws `invalid_cursor`. */
export function pageFrom({ limit, cursor }: { limit: number; cursor?: string | undefined }) {
  if (cursor !== undefined && !agentNamePattern.test(cursor)) throw refuse('invalid_cursor')
  return { after: cursor ?? null, limit: limit + 1 }
}
