import { LRUCache } from 'lru-cache'
import { isNetworkName, isReservedName, nameOfSender } from '../../agents/rules/agents.ts'
import { keepSentName } from '../../agents/store/agent-names.ts'
import { selectAgentOwners } from '../../agents/store/agents.ts'
import { DAY_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import { limitedAs } from '../../base/throttle.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { KeyHolder } from './authentication.ts'

/** The owner of a name: an account, the network (null), or nobody (undefined). */
type Owner = string | null | undefined

const CONCURRENT_LOOKUPS = 2
const MAX_CACHED_NAMES = 10_000

/**
 * Throws `agent_mismatch` if `from` names another account's registered agent or suggests the
 * network. Owners are cached for the registry version that came with the caller's key, so the cache
 * is never older than the key, and a known sender costs no statement. An unregistered name is
 * reserved for the account that sends it, at its first call and then once a day. A sandbox may send
 * its live account's names but reserves none.
 */
export function createCheckSender(db: Db, max = MAX_CACHED_NAMES) {
  const emptyCache = () => new LRUCache<string, { owner: Owner }>({ max })
  const lookUp = coalesce<string, Owner>(async (names) => {
    const rows = await selectAgentOwners(db, [...new Set(names)])
    const owners = new Map(rows.map(({ name, account_id }) => [name, account_id]))
    return names.map((name) => owners.get(name))
  }, CONCURRENT_LOOKUPS)
  let cache = { registry: -1, owners: emptyCache() }
  const reserved = new LRUCache<string, true>({ max, ttl: DAY_MS })

  async function ownerOf(name: string, registry: number | undefined): Promise<Owner> {
    if (registry === undefined) return lookUp(name)
    if (registry > cache.registry) cache = { registry, owners: emptyCache() }
    const { owners } = cache
    const cached = registry === cache.registry ? owners.get(name) : undefined
    if (cached) return cached.owner
    const owner = await lookUp(name)
    if (registry === cache.registry) owners.set(name, { owner })
    return owner
  }

  /** Reserves a name that nobody owns; returns its owner if it has since been registered. */
  async function keep(name: string, accountId: string): Promise<Owner> {
    const use = `${accountId} ${name}`
    if (reserved.has(use)) return undefined
    const isKept = await keepSentName(db, { name, accountId, at: new Date() })
    const owner = isKept ? undefined : await lookUp(name)
    if (owner === undefined) reserved.set(use, true)
    return owner
  }

  return async (from: string, holder: KeyHolder | null): Promise<void> => {
    const name = nameOfSender(from).toLowerCase()
    let owner = await ownerOf(name, holder?.registry)
    if (owner === undefined && isNetworkName(name)) owner = null
    const isKept = holder?.mode === 'live' && !isReservedName(name)
    if (owner === undefined && isKept) owner = await keep(name, holder.id)
    if (owner !== undefined && owner !== (holder ? limitedAs(holder) : undefined))
      throw refuse('agent_mismatch')
  }
}
