import { z } from 'zod'
import { networkProfile } from '../model/network.ts'
import { type Db, execute, queryRows } from './sql.ts'

const agentRow = z.object({
  name: z.string(),
  description: z.string(),
  capabilities: z.array(z.string()),
  card_url: z.string().nullable(),
})
export type AgentRow = z.infer<typeof agentRow>

/** Public agents by name, those after `after` if given. */
export async function selectPublicAgents(
  db: Db,
  page: { after: string | null; limit: number },
): Promise<AgentRow[]> {
  return queryRows(
    db,
    agentRow,
    `select name, description, capabilities, card_url from agent
     where is_public and ($1::text is null or name collate "C" > $1)
     order by name collate "C" limit $2`,
    [page.after, page.limit],
  )
}

/** Lists the network itself among the public agents; called at every start, as its address may have changed. */
export async function insertNetworkAgent(
  db: Db,
  network: { publicUrl: string; at: Date },
): Promise<void> {
  const { agent, description, capabilities, cardPath } = networkProfile
  await execute(
    db,
    `insert into agent (name, description, capabilities, card_url, is_public, created_at)
     values ($1, $2, $3, $4, true, $5)
     on conflict (name) do update set description = excluded.description,
       capabilities = excluded.capabilities, card_url = excluded.card_url`,
    [agent, description, capabilities, network.publicUrl + cardPath, network.at],
  )
}
