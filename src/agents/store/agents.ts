import sql from 'sql-template-tag'
import { z } from 'zod'
import { networkProfile } from '../../base/network.ts'
import { plainWords } from '../../base/plain-text.ts'
import { int, isoTime } from '../../platform/database/columns.ts'
import {
  type Db,
  execute,
  queryOptionalRow,
  queryRows,
  queryValue,
} from '../../platform/database/sql.ts'
import { agent } from '../schema/agents.ts'

const agentRow = agent.omit({ yours: true }).extend({
  account_id: z.uuid().nullable(),
  created_at: isoTime,
  updated_at: isoTime,
})
/** `account_id` is null only for the network itself, `card_url` for every other agent. */
export type AgentRow = z.infer<typeof agentRow>

const selectColumns = sql`select 'agent://' || name as id, name, account_id, description,
  capabilities, version, case when is_public then 'public' else 'private' end as visibility,
  a2a_url, mcp_url, homepage, card_url, created_at, updated_at, taken_down_reason as taken_down,
  not exists (select from member m join developer d on d.id = m.developer_id
    where m.account_id = agent.account_id and m.role = 'owner' and d.verified_at is null
  ) as verified
  from agent`

type AgentPage = { after: string | null; limit: number }

/** Public agents by name, after `after` if given, that match every prefix in `words`. */
export const selectPublicAgents = (
  db: Db,
  { words, after, limit }: AgentPage & { words: readonly string[] | null },
) => {
  const query = words?.map((word) => `'${word}':*`).join(' & ')
  return queryRows(db, agentRow)`
    ${selectColumns}
    where is_public and deleted_at is null
      and (${after}::text is null or name collate "C" > ${after})
      and (${query}::text is null or document @@ ${query}::tsquery)
    order by name collate "C" limit ${limit}`
}

/** An account's agents by name; only those after `after`, if given. */
export const selectAgentsOf = (db: Db, accountId: string, { after, limit }: AgentPage) =>
  queryRows(db, agentRow)`
    ${selectColumns}
    where account_id = ${accountId} and deleted_at is null
      and (${after}::text is null or name collate "C" > ${after})
    order by name collate "C" limit ${limit}`

/** The agent with this name (case-insensitive), if it is public or belongs to the account. */
export const selectOptionalAgent = (db: Db, name: string, accountId: string | null) =>
  queryOptionalRow(db, agentRow)`
    ${selectColumns}
    where lower(name) = lower(${name}) and deleted_at is null
      and (is_public or account_id = ${accountId})`

/** The accounts that registered these lower-case names; null for the network's own. */
export const selectAgentOwners = (db: Db, names: readonly string[]) =>
  queryRows(db, agentRow.pick({ name: true, account_id: true }))`
    select lower(name) as name, account_id from agent where lower(name) = any(${names})`

const lockedRow = z.object({ is_deleted: z.boolean(), taken_down: z.string().nullable() })

/** Locks the account's agent with this name; undefined if it has never had one. */
export const lockOwnAgent = (tx: Db, accountId: string, name: string) =>
  queryOptionalRow(tx, lockedRow)`
    select deleted_at is not null as is_deleted, taken_down_reason as taken_down from agent
    where lower(name) = lower(${name}) and account_id = ${accountId} for no key update`

/** Counts an account's names, including deleted ones, and locks the account against new ones. */
export async function lockAgentNames(tx: Db, accountId: string): Promise<number> {
  await execute(tx)`select from account where id = ${accountId} for no key update`
  return queryValue(tx, int)`
    select count(*)::int as names from agent where account_id = ${accountId}`
}

/** The fields of an agent that its account can set. */
type AgentTerms = Omit<
  AgentRow,
  'id' | 'account_id' | 'card_url' | 'created_at' | 'updated_at' | 'verified' | 'taken_down'
>

/** PostgreSQL accepts words of up to 2,046 bytes; searches need far less. */
const MAX_WORD_BYTES = 200

/** The searchable words in a text, without duplicates. */
export const searchWords = (text: string): string[] => [
  ...new Set(plainWords(text).filter((word) => Buffer.byteLength(word) <= MAX_WORD_BYTES)),
]

type Described = { name: string; description: string; capabilities: readonly string[] }

const documentOf = ({ name, description, capabilities }: Described) =>
  sql`array_to_tsvector(${searchWords([name, description, ...capabilities].join(' '))}::text[])`

/** Registers a name; false if it is taken. */
export const insertAgent = async (tx: Db, accountId: string, terms: AgentTerms, at: Date) =>
  (await execute(tx)`
    with new as (
      insert into agent (name, description, capabilities, version, is_public, a2a_url, mcp_url,
        homepage, document, account_id, created_at, updated_at)
      values (${terms.name}, ${terms.description}, ${terms.capabilities}, ${terms.version},
        ${terms.visibility === 'public'}, ${terms.a2a_url}, ${terms.mcp_url}, ${terms.homepage},
        ${documentOf(terms)}, ${accountId}, ${at}, ${at})
      on conflict do nothing
      returning name
    )
    update agent_registry set version = version + 1 where exists (select from new)`) === 1

/** Updates an account's agent after `lockOwnAgent`. A deleted agent is recreated as of `at`. */
export const updateAgent = (tx: Db, accountId: string, terms: AgentTerms, at: Date) =>
  execute(tx)`
    update agent set name = ${terms.name}, description = ${terms.description},
      capabilities = ${terms.capabilities}, version = ${terms.version},
      is_public = ${terms.visibility === 'public'}, a2a_url = ${terms.a2a_url},
      mcp_url = ${terms.mcp_url}, homepage = ${terms.homepage}, document = ${documentOf(terms)},
      created_at = case when deleted_at is null then created_at else ${at} end,
      updated_at = ${at}, deleted_at = null
    where lower(name) = lower(${terms.name}) and account_id = ${accountId}`

const ownedRow = z.object({ name: z.string(), account_id: z.uuid() })

/** Makes an agent private for this reason; null restores it. undefined if there is none. */
export const updateTakenDown = (tx: Db, name: string, reason: string | null, at: Date) =>
  queryOptionalRow(tx, ownedRow)`
    update agent set taken_down_reason = ${reason}, is_public = false, updated_at = ${at}
    where lower(name) = lower(${name}) and account_id is not null and deleted_at is null
    returning name, account_id`

const erase = (accountId: string, at: Date) => sql`
  update agent set deleted_at = ${at}, updated_at = ${at}, is_public = false, description = '',
    capabilities = '{}', a2a_url = null, mcp_url = null, homepage = null, document = ''
  where account_id = ${accountId} and deleted_at is null`

/** Deletes an agent and erases its fields. The name stays with the account. */
export const deleteAgent = (tx: Db, accountId: string, name: string, at: Date) =>
  execute(tx)`${erase(accountId, at)} and lower(name) = lower(${name})`

/** Deletes all agents of an account and erases their fields. The names stay with the account. */
export const deleteAgentsOf = (tx: Db, accountId: string, at: Date) =>
  execute(tx)`${erase(accountId, at)}`

/** Lists the network itself as a public agent. Runs at every start, as its URL may change. */
export function insertNetworkAgent(db: Db, { publicUrl, at }: { publicUrl: string; at: Date }) {
  const { agent: name, description, capabilities, cardPath } = networkProfile
  return execute(db)`
    insert into agent (name, description, capabilities, card_url, is_public, document, created_at,
      updated_at)
    values (${name}, ${description}, ${capabilities}, ${publicUrl + cardPath}, true,
      ${documentOf({ name, description, capabilities })}, ${at}, ${at})
    on conflict (name) do update set description = excluded.description,
      capabilities = excluded.capabilities, card_url = excluded.card_url,
      document = excluded.document`
}
