/** The name in `agent://<agent_name>` (specification section 2.1). */
export const agentNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** A capability, such as `booking` or `travel.planning`. */
export const capabilityPattern = /^[a-z][a-z0-9]*([._-][a-z0-9]+)*$/

/** Maximum names per account, including deleted ones, because a name stays with its account. */
export const MAX_AGENTS = 50

/** After this many days without a call, others can register an unregistered name. */
export const NAME_KEPT_DAYS = 30

/** Maximum unregistered names that an account can reserve by sending them as `from`. */
export const MAX_NAMES_SENT = 1_000

const digits: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/** A name without differences in case, separators and lookalikes (Unicode TS 39, section 4). */
const skeletonOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[._-]/g, '')
    .replaceAll(/[013457]/g, (digit) => digits[digit] ?? digit)
    .replaceAll('vv', 'w')
    .replaceAll('rn', 'm')
    .replaceAll('l', 'i')

/** Names in our examples: anybody can send under them, but nobody can register them. */
const examples = new Set(['demo', 'example', 'myagent'].map(skeletonOf))

/** Names that suggest the network or its operator, and `public`, the path of the list. */
const reserved = new Set(
  'public root system help billing payments staff verified'.split(' ').map(skeletonOf),
)

/** Words that no part of a name may contain, because they suggest that the agent is the network. */
const misleading = 'service network official support admin operator security'
  .split(' ')
  .map(skeletonOf)

/** Whether a name is reserved, so that nobody can register it. */
export const isReservedName = (name: string): boolean =>
  isNetworkName(name) || examples.has(skeletonOf(name))

/** Whether a name suggests the network; nobody may send under it or register it. */
export function isNetworkName(name: string): boolean {
  const skeleton = skeletonOf(name)
  return reserved.has(skeleton) || misleading.some((word) => skeleton.includes(word))
}

/** Where the network publishes the Agent Card of a registered agent. */
export const agentCardPath = (name: string): string => `/agents/${name}/.well-known/agent-card.json`

/** The name in a sender that matches `agentPattern`. */
export const nameOfSender = (from: string): string => from.slice('agent://'.length)
