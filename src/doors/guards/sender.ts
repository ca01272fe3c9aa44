import { nameOfSender } from '../../agents/rules/agents.ts'
import { selectAgentOwners } from '../../agents/store/agent-owners.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { KeyHolder } from './authentication.ts'

/**
 * Throws `agent_mismatch` when `from` names a registered agent that is not the holder's: nobody else, and nobody without a key, can
 * speak for it. Names that nobody registered pass.
 */
export type JudgeSender = (from: string, holder: KeyHolder | null) => Promise<void>

/** Whose a name is: an account, the network (null), or nobody (undefined). */
type Owner = string | null | undefined

const LOOKUPS_AT_ONCE = 2
const MOST_REMEMBERED = 10_000

/**
 * Remembers who owns a name, or that nobody does, as long as the registry has the version that came with the caller's key: so it is never
 * older than the key itself, and a sender that is known costs no statement.
 */
export function createJudgeSender(db: Db): JudgeSender {
  const lookUp = coalesce<string, Owner>(async (names) => {
    const rows = await selectAgentOwners(db, [...new Set(names)])
    const owners = new Map(rows.map(({ name, account_id }) => [name, account_id]))
    return names.map((name) => owners.get(name))
  }, LOOKUPS_AT_ONCE)
  let known = { registry: -1, owners: new Map<string, Owner>() }

  async function ownerOf(name: string, registry: number | undefined): Promise<Owner> {
    if (registry === undefined) return lookUp(name)
    if (registry > known.registry || known.owners.size >= MOST_REMEMBERED) {
      known = { registry: Math.max(registry, known.registry), owners: new Map() }
    }
    const { owners } = known
    if (registry === known.registry && owners.has(name)) return owners.get(name)
    const owner = await lookUp(name)
    if (registry === known.registry) owners.set(name, owner)
    return owner
  }

  return async (from, holder) => {
    const owner = await ownerOf(nameOfSender(from).toLowerCase(), holder?.registry)
    if (owner !== undefined && owner !== holder?.id) throw refuse('agent_mismatch')
  }
}
