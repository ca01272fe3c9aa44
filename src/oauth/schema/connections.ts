import { z } from 'zod'
import { scopes } from '../../base/scopes.ts'
import { foreignText } from '../../contract/foreign-text.ts'
import { named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'
import { clientKinds } from '../rules/clients.ts'

/** A program that acts for a member, who signed in with it. */
export const connection = named('Connection', {
  id: z.uuid(),
  client: z.object({
    id: z.string().describe('Its OAuth client id'),
    name: foreignText('What it calls itself'),
    host: z
      .string()
      .describe('Where its document is or, without one, where the member was sent back'),
    kind: z
      .enum(clientKinds)
      .describe('`document`: its host vouches for it; `predefined`: your operator added it'),
  }),
  mode: z.enum(['live', 'test']).describe('`test`: it acts in your sandbox'),
  scopes: z.array(z.enum(scopes)).describe('What it may do besides reading'),
  member: z.string().describe('The email address of the member who allowed it'),
  last_used: z
    .object({ at: instant, door: z.string() })
    .nullable()
    .describe('Accurate to the minute; null: never used'),
  created_at: instant,
})
export type AssistantConnection = z.infer<typeof connection>
