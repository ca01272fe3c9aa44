/** The name of an agent, as in `agent://<agent_name>`: specification section 2.1. */
export const agentNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** A capability: lower-case words with dots, hyphens or underscores between them, as in `booking` or `travel.planning`. */
export const capabilityPattern = /^[a-z][a-z0-9]*([._-][a-z0-9]+)*$/

/** So many names an account can have, deleted ones included: a name once registered stays its account's. */
export const MOST_AGENTS = 50

/**
 * Names that would pass for the network or for those who run it, `public`, the address of the list, and the senders of our examples,
 * which everybody may send. Compared without case and separators.
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
  'demo',
  'example',
  'myagent',
])

/** Whether nobody can register this name. */
export const isReservedName = (name: string): boolean =>
  reserved.has(name.toLowerCase().replaceAll(/[._-]/g, ''))

/** Where the network publishes the Agent Card of a registered agent. */
export const agentCardPath = (name: string): string => `/agents/${name}/.well-known/agent-card.json`

/** The name in a sender identity that has the shape of `agentPattern`. */
export const nameOfSender = (from: string): string => from.slice('agent://'.length)
