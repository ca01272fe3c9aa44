import { z } from 'zod'
import { roles } from '../../base/roles.ts'
import { named } from '../../contract/named.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { instant } from '../../contract/public.ts'
import { selectInvitations } from '../store/invitations.ts'
import { selectMembers } from '../store/members.ts'

const role = z.enum(roles).describe('What the member may do: /docs/team').meta({ id: 'Role' })

const member = named('Member', { id: z.uuid(), email: z.string(), role, joined_at: instant })
const invitation = named('Invitation', {
  id: z.uuid(),
  email: z.string(),
  role,
  created_at: instant,
  expires_at: instant.describe('The link in the email works until then'),
})

export const listMembers = defineOperation({
  name: 'list members',
  summary: 'List the members of your account',
  description:
    'Lists the developers who can sign in to the account, with their roles, and the invitations ' +
    'that nobody has accepted. Only owners change them, in the dashboard; keys cannot.',
  scope: 'keys',
  part: 'members',
  input: z.strictObject({}),
  output: z.object({ members: z.array(member), invitations: z.array(invitation) }),
  async run(ctx) {
    const { id } = accountOf(ctx)
    const [members, invitations] = await Promise.all([
      selectMembers(ctx.db, id),
      selectInvitations(ctx.db, id),
    ])
    return { members, invitations }
  },
})
