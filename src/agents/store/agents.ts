import { z } from 'zod'
import { networkProfile } from '../../contract/rules/network.ts'
import { wordsOf } from '../../contract/rules/plain-text.ts'
import {
  type Db,
  execute,
  queryOptionalRow,
  queryRow,
  queryRows,
} from '../../platform/database/sql.ts'

const agentRow = z.object({
  name: z.string(),
  account_id: z.uuid().nullable(),
  description: z.string(),
  capabilities: z.array(z.string()),
  version: z.string(),
  is_public: z.boolean(),
  a2a_url: z.string().nullable(),
  mcp_url: z.string().nullable(),
  homepage: z.string().nullable(),
  /** of the network itself, whose card is not among those of registered agents */
  card_url: z.string().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
})
export type AgentRow = z.infer<typeof agentRow>

const selectColumns = `select name, account_id, description, capabilities, version, is_public,
  a2a_url, mcp_url, homepage, card_url, created_at, updated_at from agent`

export type AgentPage = { after: string | null; limit: number }

/** Public agents by name, those after `after` if given, in which each of the words begins a word. */
export const selectPublicAgents = (
  db: Db,
  { words, after, limit }: AgentPage & { words: readonly string[] | null },
): Promise<AgentRow[]> =>
  queryRows(
    db,
    agentRow,
    `${selectColumns}
     where is_public and deleted_at is null and ($1::text is null or name collate "C" > $1)
       and ($3::text is null or document @@ $3::tsquery)
     order by name collate "C" limit $2`,
    [after, limit, words?.map((word) => `'${word}':*`).join(' & ')],
  )

/** The agents of an account by name, those after `after` if given. */
export const selectAgentsOf = (
  db: Db,
  accountId: string,
  { after, limit }: AgentPage,
): Promise<AgentRow[]> =>
  queryRows(
    db,
    agentRow,
    `${selectColumns}
     where account_id = $1 and deleted_at is null and ($2::text is null or name collate "C" > $2)
     order by name collate "C" limit $3`,
    [accountId, after, limit],
  )

/** The agent of this name, in whatever case, if it is public or the account's; null asks for public ones only. */
export const selectOptionalAgent = (
  db: Db,
  name: string,
  accountId: string | null,
): Promise<AgentRow | undefined> =>
  queryOptionalRow(
    db,
    agentRow,
    `${selectColumns}
     where lower(name) = lower($1) and deleted_at is null and (is_public or account_id = $2)`,
    [name, accountId],
  )

const owned = z.object({ is_deleted: z.boolean() })

/** Whether the account's agent of this name is deleted, undefined when it never had one; nobody changes it until the transaction ends. */
export async function lockOwnAgent(
  tx: Db,
  accountId: string,
  name: string,
): Promise<{ isDeleted: boolean } | undefined> {
  const row = await queryOptionalRow(
    tx,
    owned,
    `select deleted_at is not null as is_deleted from agent
     where lower(name) = lower($2) and account_id = $1 for no key update`,
    [accountId, name],
  )
  return row && { isDeleted: row.is_deleted }
}

const counted = z.object({ names: z.int() })

/** How many names the account has, deleted ones included; nobody else registers one for it until the transaction ends. */
export async function lockAgentNames(tx: Db, accountId: string): Promise<number> {
  await execute(tx, 'select from account where id = $1 for no key update', [accountId])
  const text = 'select count(*)::int as names from agent where account_id = $1'
  return (await queryRow(tx, counted, text, [accountId])).names
}

/** What its account decides about an agent. */
export type AgentTerms = {
  name: string
  description: string
  capabilities: readonly string[]
  version: string
  isPublic: boolean
  a2aUrl: string | null
  mcpUrl: string | null
  homepage: string | null
}

/** PostgreSQL takes 2,046 bytes of a word; nobody looks for a tenth of that. */
const LONGEST_WORD_BYTES = 200

/** The words of a text that can be searched, each once. */
export const searchWords = (text: string): string[] => [
  ...new Set(wordsOf(text).filter((word) => Buffer.byteLength(word) <= LONGEST_WORD_BYTES)),
]

const termsOf = (terms: AgentTerms): unknown[] => [
  terms.name,
  terms.description,
  terms.capabilities,
  terms.version,
  terms.isPublic,
  terms.a2aUrl,
  terms.mcpUrl,
  terms.homepage,
  searchWords(`${terms.name} ${terms.description} ${terms.capabilities.join(' ')}`),
]

/** Gives a name that nobody has to the account; false when somebody has it, or takes it at this moment. */
export async function insertAgent(
  tx: Db,
  accountId: string,
  terms: AgentTerms,
  at: Date,
): Promise<boolean> {
  const inserted = await execute(
    tx,
    `with new as (
       insert into agent (name, description, capabilities, version, is_public, a2a_url, mcp_url, homepage,
         document, account_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, array_to_tsvector($9::text[]), $10, $11, $11)
       on conflict do nothing
       returning name
     )
     update agent_registry set version = version + 1 where exists (select from new)`,
    [...termsOf(terms), accountId, at],
  )
  return inserted === 1
}

/** Changes what the account decides about an agent that it has, locked before; one that was deleted is there again, from `at` on. */
export async function updateAgent(
  tx: Db,
  accountId: string,
  terms: AgentTerms,
  at: Date,
): Promise<void> {
  await execute(
    tx,
    `update agent set name = $1, description = $2, capabilities = $3, version = $4, is_public = $5,
       a2a_url = $6, mcp_url = $7, homepage = $8, document = array_to_tsvector($9::text[]),
       created_at = case when deleted_at is null then created_at else $11 end,
       updated_at = $11, deleted_at = null
     where lower(name) = lower($1) and account_id = $10`,
    [...termsOf(terms), accountId, at],
  )
}

const erase = `update agent set deleted_at = $2, updated_at = $2, is_public = false, description = '',
  capabilities = '{}', a2a_url = null, mcp_url = null, homepage = null, document = ''
  where account_id = $1 and deleted_at is null`

/** Takes an agent away and erases what was said of it; its name stays the account's. */
export async function deleteAgent(
  tx: Db,
  accountId: string,
  name: string,
  at: Date,
): Promise<void> {
  await execute(tx, `${erase} and lower(name) = lower($3)`, [accountId, at, name])
}

/** The same for every agent of an account. */
export async function deleteAgentsOf(tx: Db, accountId: string, at: Date): Promise<void> {
  await execute(tx, erase, [accountId, at])
}

/** Lists the network itself among the public agents; called at every start, as its address may have changed. */
export async function insertNetworkAgent(
  db: Db,
  network: { publicUrl: string; at: Date },
): Promise<void> {
  const { agent, description, capabilities, cardPath } = networkProfile
  await execute(
    db,
    `insert into agent (name, description, capabilities, card_url, is_public, document, created_at, updated_at)
     values ($1, $2, $3, $4, true, array_to_tsvector($6::text[]), $5, $5)
     on conflict (name) do update set description = excluded.description,
       capabilities = excluded.capabilities, card_url = excluded.card_url,
       document = excluded.document`,
    [
      agent,
      description,
      capabilities,
      network.publicUrl + cardPath,
      network.at,
      [...new Set(wordsOf([agent, description, ...capabilities].join(' ')))],
    ],
  )
}
