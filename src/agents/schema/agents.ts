import { z } from 'zod'
import { foreign, foreignText } from '../../contract/foreign-text.ts'
import { named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'

/** Who can find an agent: everybody, or only its own account. */
const visibilities = ['public', 'private'] as const

/** Fields included in every view of an agent. */
const common = {
  id: z.string().describe('`agent://<agent_name>`, as in `from` of an envelope'),
  name: z.string(),
  description: foreignText('How the agent describes itself'),
  capabilities: foreign('What the agent says it can do', z.array(z.string())),
  verified: z
    .boolean()
    .describe('Whether its account has verified an email address; nobody has checked the rest'),
}

/** An agent in the public list. */
export const publicAgent = named('PublicAgent', {
  ...common,
  card_url: z.string().describe('URL of its Agent Card'),
})

/** A registered agent with all the fields that its account can set. */
export const agent = named('Agent', {
  ...common,
  version: z.string(),
  visibility: z.enum(visibilities).meta({ id: 'Visibility' }),
  a2a_url: foreign('Where the agent says it is reached', z.string().nullable()),
  mcp_url: foreign('Where the agent says it is reached', z.string().nullable()),
  homepage: foreign('A page that the agent names', z.string().nullable()),
  card_url: z.string().nullable().describe('URL of its Agent Card; null while it is private'),
  taken_down: z
    .string()
    .nullable()
    .describe('Why an operator has taken it down; it stays private until they restore it'),
  yours: z.boolean().describe('Whether your account registered it'),
  created_at: instant,
  updated_at: instant,
})
export type Agent = z.infer<typeof agent>

/** An Agent Card (specification section 2.6). Other members are allowed. */
export const agentCard = z.looseObject({
  name: z.string().min(1),
  description: z.string(),
  capabilities: z.array(z.string()),
  protocols: z.array(z.enum(['a2a', 'x402', 'mcp'])),
  endpoints: z.strictObject({ a2a: z.url().optional(), mcp: z.url().optional() }),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
})
export type AgentCard = z.infer<typeof agentCard>
