import fc from 'fast-check'
import { scopes } from '../../src/base/scopes.ts'
import type { Capability } from '../../src/contract/capability.ts'
import { catalogue } from '../../src/network.ts'
import { agentWith, findSlot, makeKey } from './agent.ts'
import { a2aDoor, type FuzzedDoor, openMcpDoor, restDoor } from './fuzz-doors.ts'
import { fuzzedCalls, type Known } from './fuzz-inputs.ts'
import type { Service } from './network.ts'

/** How many ids are kept; older ones are forgotten. */
const KEPT_IDS = 500

const tools = catalogue.filter(({ mcp }) => mcp)

/**
 * Sends `count` fuzzed calls to each of REST, A2A and MCP at the same time and returns the number
 * of answers with each code. Throws at the first wrong answer, with its call and the seed.
 */
export async function fuzzDoors(
  { url, db }: Service,
  count: number,
  seed: number,
): Promise<Record<string, number>> {
  const { accountId, key } = await makeKey(db, 'pro', scopes)
  const agent = agentWith(url, accountId, key)
  const slot = await findSlot(agent, 'restaurant in Bali')
  const known: Known = { ids: [], fields: slot }
  // Calls that revoke the run's own key would end it.
  const { rows } = await db.query('select id from api_key where account_id = $1', [accountId])
  const keepIds = keeper(rows[0].id)
  keepIds(known.ids, (await agent.post('/api/bookings', slot)).body)
  const codes: Record<string, number> = {}
  const mcp = await openMcpDoor(url, key)
  const through = (send: FuzzedDoor, capabilities: readonly Capability[] = catalogue) =>
    fc.assert(
      fc.asyncProperty(fuzzedCalls(capabilities, known), async (call) => {
        const { code, body } = await send(call)
        codes[code] = (codes[code] ?? 0) + 1
        keepIds(known.ids, body)
      }),
      // Each call changes the account, so a failing call cannot be shrunk.
      { numRuns: count, seed, endOnFailure: true },
    )
  try {
    await Promise.all([
      through(restDoor(url, key)),
      through(a2aDoor(url, key)),
      through(mcp.call, tools),
    ])
  } finally {
    await mcp.close()
  }
  return codes
}

const keeper = (except: string) => (ids: string[], answer: unknown) => {
  const found = JSON.stringify(answer ?? null).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)
  for (const id of found ?? []) if (id !== except && !ids.includes(id)) ids.push(id)
  ids.splice(0, Math.max(0, ids.length - KEPT_IDS))
}
