import { raw } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, execute, queryRow, queryRows } from '../database/sql.ts'

/** A column of secrets that are sealed, each to the row that it is in. */
export type SealedColumn = {
  what: string
  table: string
  id: string
  column: string
  contextOf(id: string): string
}

const sealedRow = z.object({ sealed: z.string() })

/** Sealed secrets, one for each key that seals any. */
export async function selectSealedSecrets(
  db: Db,
  columns: readonly SealedColumn[],
): Promise<string[]> {
  const all = columns.map(({ table, column }) => `select ${column} as sealed from ${table}`)
  const rows = await queryRows(db, sealedRow)`
    select min(sealed) as sealed from (${raw(all.join(' union all '))}) s
    where sealed is not null group by split_part(sealed, '.', 2)`
  return rows.map(({ sealed }) => sealed)
}

const countRow = z.object({ count: z.int() })

/** How many secrets of a column another key than this one seals. */
export async function countSealedOtherwise(
  db: Db,
  { table, column }: SealedColumn,
  keyId: string,
): Promise<number> {
  const { count } = await queryRow(db, countRow)`
    select count(*) from ${raw(table)} where ${raw(column)} is not null
      and split_part(${raw(column)}, '.', 2) <> ${keyId}`
  return count
}

const staleRow = z.object({ id: z.uuid(), sealed: z.string() })
/** A secret that another key than the first one seals. */
export type StaleSecret = z.infer<typeof staleRow>

/** The next secrets of a column behind the row `after` that another key than this one seals. */
export const selectSealedOtherwise = (
  db: Db,
  { table, id, column }: SealedColumn,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<StaleSecret[]> =>
  queryRows(db, staleRow)`
    select ${raw(id)} as id, ${raw(column)} as sealed from ${raw(table)}
    where ${raw(id)} > ${after} and ${raw(column)} is not null
      and split_part(${raw(column)}, '.', 2) <> ${keyId}
    order by ${raw(id)} limit ${limit}`

/** Puts secrets that were sealed anew in the place of what they were; answers how many had not changed meanwhile. */
export const updateSealed = (
  db: Db,
  { table, id, column }: SealedColumn,
  secrets: readonly (StaleSecret & { anew: string })[],
): Promise<number> =>
  execute(db)`
    update ${raw(table)} t set ${raw(column)} = n.anew
    from unnest(${secrets.map(({ id }) => id)}::uuid[],
      ${secrets.map(({ sealed }) => sealed)}::text[],
        ${secrets.map(({ anew }) => anew)}::text[]) as n (id, was, anew)
    where t.${raw(id)} = n.id and t.${raw(column)} = n.was`
