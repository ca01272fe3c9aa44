import { z } from 'zod'
import { instant } from '../../contract/public.ts'

/** Who finds an agent: everybody, or the account that registered it. */
export const visibilities = ['public', 'private'] as const

/** What is said of an agent wherever it is shown. */
const shown = {
  id: z.string().describe('`agent://<agent_name>`, as in `from` of an envelope'),
  name: z.string(),
  description: z.string(),
  capabilities: z.array(z.string()),
}

/** An agent as everybody finds it. */
export const publicAgent = z.object({
  ...shown,
  card_url: z.string().describe('Where its Agent Card is'),
})

/** A registered agent with everything that its account decides. */
export const agent = z.object({
  ...shown,
  version: z.string(),
  visibility: z.enum(visibilities),
  a2a_url: z.string().nullable(),
  mcp_url: z.string().nullable(),
  homepage: z.string().nullable(),
  card_url: z.string().nullable().describe('Where its Agent Card is; null while it is private'),
  yours: z.boolean().describe('Whether your account registered it'),
  created_at: instant,
  updated_at: instant,
})
export type Agent = z.infer<typeof agent>

/** An Agent Card, specification section 2.6; `endpoints` has those that there are. Other members may stand beside. */
export const agentCard = z.looseObject({
  name: z.string().min(1),
  description: z.string(),
  capabilities: z.array(z.string()),
  protocols: z.array(z.enum(['a2a', 'x402', 'mcp'])),
  endpoints: z.strictObject({ a2a: z.url().optional(), mcp: z.url().optional() }),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
})
export type AgentCard = z.infer<typeof agentCard>
