/** The name in `agent://<agent_name>` (specification section 2.1). */
export const agentNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** A capability, such as `booking` or `travel.planning`. */
export const capabilityPattern = /^[a-z][a-z0-9]*([._-][a-z0-9]+)*$/

/** Names per account, deleted ones included: a name stays with its account. */
export const MAX_AGENTS = 50

/** After this many days without a call, a name that is not registered can be taken by others. */
export const NAME_KEPT_DAYS = 30

/** Names per account that are kept only because it sends them. */
export const MAX_NAMES_SENT = 1_000

/**
 * Names that could pass for the network or its operator, and `public` (the path of the list).
 * Compared without case and separators, like the senders of our examples.
 */
const reserved = new Set([
  'service',
  'network',
  'venuenetwork',
  'public',
  'admin',
  'administrator',
  'root',
  'system',
  'operator',
  'support',
  'security',
  'official',
])
const examples = new Set(['demo', 'example', 'myagent'])

/** Words that no part of a name may have: readers would take the agent for ours. */
const misleading = /service|network|official|support|admin|operator|security/

const lookalikes: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's' }

/** A name without case and separators, and as it reads. */
function readingsOf(name: string): string[] {
  const plain = name.toLowerCase().replaceAll(/[._-]/g, '')
  return [plain, plain.replaceAll(/[01345]/g, (digit) => lookalikes[digit] ?? digit)]
}

/** Whether a name cannot be registered. */
export const isReservedName = (name: string): boolean =>
  isNetworkName(name) || readingsOf(name).some((one) => examples.has(one) || misleading.test(one))

/** Whether an agent of this name would pass for the network itself: nobody may send it. */
export const isNetworkName = (name: string): boolean =>
  readingsOf(name).some((one) => reserved.has(one))

/** Where the network publishes the Agent Card of a registered agent. */
export const agentCardPath = (name: string): string => `/agents/${name}/.well-known/agent-card.json`

/** The name in a sender that matches `agentPattern`. */
export const nameOfSender = (from: string): string => from.slice('agent://'.length)
