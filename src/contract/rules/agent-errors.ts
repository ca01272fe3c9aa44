import { refusal } from './error-spec.ts'

/** What can be wrong with agents that developers register. */
export const agentErrors = {
  agent_mismatch: refusal(
    403,
    'This agent belongs to another account',
    'Leave `from` out, send a name that is not registered, or use a key of the account that registered it.',
  ),
  agent_not_found: refusal(
    404,
    'No such agent',
    'Use the name of an agent of your account, or of one that `GET /api/agents/public` lists.',
  ),
  agent_name_taken: refusal(
    409,
    'The name is registered',
    'Choose another name; an agent of your own is changed with `PATCH /api/agents/{name}`.',
  ),
  agent_limit: refusal(
    409,
    'The account has as many agent names as it can have',
    'Use a name that the account has: a deleted one can be registered again. Nothing was changed.',
  ),
  agent_name_reserved: refusal(
    422,
    'The name is reserved',
    'Choose another name: this one would pass for the network or its operators, or belongs to an example that everybody runs.',
  ),
} as const
