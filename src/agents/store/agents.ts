import sql from 'sql-template-tag'
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

const selectColumns = sql`select name, account_id, description, capabilities, version, is_public,
  a2a_url, mcp_url, homepage, card_url, created_at, updated_at from agent`

export type AgentPage = { after: string | null; limit: number }

/** Public agents by name, those after `after` if given, in which each of the words begins a word. */
export const selectPublicAgents = (
  db: Db,
  { words, after, limit }: AgentPage & { words: readonly string[] | null },
) => {
  const query = words?.map((word) => `'${word}':*`).join(' & ')
  return queryRows(db, agentRow)`
    ${selectColumns}
    where is_public and deleted_at is null and (${after}::text is null
      or name collate "C" > ${after})
      and (${query}::text is null
        or document @@ ${query}::tsquery)
    order by name collate "C" limit ${limit}`
}

/** The agents of an account by name, those after `after` if given. */
export const selectAgentsOf = (
  db: Db,
  accountId: string,
  { after, limit }: AgentPage,
): Promise<AgentRow[]> =>
  queryRows(db, agentRow)`
    ${selectColumns}
    where account_id = ${accountId} and deleted_at is null and (${after}::text is null
      or name collate "C" > ${after})
    order by name collate "C" limit ${limit}`

/** The agent of this name, in whatever case, if it is public or the account's; null asks for public ones only. */
export const selectOptionalAgent = (
  db: Db,
  name: string,
  accountId: string | null,
): Promise<AgentRow | undefined> =>
  queryOptionalRow(db, agentRow)`
    ${selectColumns}
    where lower(name) = lower(${name}) and deleted_at is null and (is_public
      or account_id = ${accountId})`

const owned = z.object({ is_deleted: z.boolean() })

/** Whether the account's agent of this name is deleted, undefined when it never had one; nobody changes it until the transaction ends. */
export async function lockOwnAgent(
  tx: Db,
  accountId: string,
  name: string,
): Promise<{ isDeleted: boolean } | undefined> {
  const row = await queryOptionalRow(tx, owned)`
    select deleted_at is not null as is_deleted from agent
    where lower(name) = lower(${name}) and account_id = ${accountId} for no key update`
  return row && { isDeleted: row.is_deleted }
}

const counted = z.object({ names: z.int() })

/** How many names the account has, deleted ones included; nobody else registers one for it until the transaction ends. */
export async function lockAgentNames(tx: Db, accountId: string): Promise<number> {
  await execute(tx)`select from account where id = ${accountId} for no key update`
  const { names } = await queryRow(tx, counted)`
    select count(*)::int as names from agent where account_id = ${accountId}`
  return names
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

const documentOf = ({ name, description, capabilities }: AgentTerms) =>
  sql`array_to_tsvector(${searchWords([name, description, ...capabilities].join(' '))}::text[])`

/** Gives a name that nobody has to the account; false when somebody has it, or takes it at this moment. */
export async function insertAgent(
  tx: Db,
  accountId: string,
  terms: AgentTerms,
  at: Date,
): Promise<boolean> {
  const inserted = await execute(tx)`
    with new as (
      insert into agent (name, description, capabilities, version, is_public, a2a_url, mcp_url,
        homepage, document, account_id, created_at, updated_at)
      values (${terms.name}, ${terms.description}, ${terms.capabilities}, ${terms.version},
        ${terms.isPublic}, ${terms.a2aUrl}, ${terms.mcpUrl}, ${terms.homepage},
        ${documentOf(terms)}, ${accountId}, ${at}, ${at})
      on conflict do nothing
      returning name
    )
    update agent_registry set version = version + 1 where exists (select from new)`
  return inserted === 1
}

/** Changes what the account decides about an agent that it has, locked before; one that was deleted is there again, from `at` on. */
export async function updateAgent(
  tx: Db,
  accountId: string,
  terms: AgentTerms,
  at: Date,
): Promise<void> {
  await execute(tx)`
    update agent set name = ${terms.name}, description = ${terms.description},
      capabilities = ${terms.capabilities}, version = ${terms.version},
      is_public = ${terms.isPublic}, a2a_url = ${terms.a2aUrl}, mcp_url = ${terms.mcpUrl},
      homepage = ${terms.homepage}, document = ${documentOf(terms)},
      created_at = case when deleted_at is null then created_at else ${at} end,
      updated_at = ${at}, deleted_at = null
    where lower(name) = lower(${terms.name}) and account_id = ${accountId}`
}

const erase = (accountId: string, at: Date) => sql`
  update agent set deleted_at = ${at}, updated_at = ${at}, is_public = false, description = '',
  capabilities = '{}', a2a_url = null, mcp_url = null, homepage = null, document = ''
  where account_id = ${accountId} and deleted_at is null`

/** Takes an agent away and erases what was said of it; its name stays the account's. */
export async function deleteAgent(
  tx: Db,
  accountId: string,
  name: string,
  at: Date,
): Promise<void> {
  await execute(tx)`${erase(accountId, at)} and lower(name) = lower(${name})`
}

/** The same for every agent of an account. */
export async function deleteAgentsOf(tx: Db, accountId: string, at: Date): Promise<void> {
  await execute(tx)`${erase(accountId, at)}`
}

/** Lists the network itself among the public agents; called at every start, as its address may have changed. */
export async function insertNetworkAgent(
  db: Db,
  network: { publicUrl: string; at: Date },
): Promise<void> {
  const { agent, description, capabilities, cardPath } = networkProfile
  const words = [...new Set(wordsOf([agent, description, ...capabilities].join(' ')))]
  await execute(db)`
    insert into agent (name, description, capabilities, card_url, is_public, document, created_at,
      updated_at)
    values (${agent}, ${description}, ${capabilities}, ${network.publicUrl + cardPath}, true,
      array_to_tsvector(${words}::text[]), ${network.at}, ${network.at})
    on conflict (name) do update set description = excluded.description,
      capabilities = excluded.capabilities, card_url = excluded.card_url,
      document = excluded.document`
}
