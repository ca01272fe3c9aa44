import { raw } from 'sql-template-tag'
import { z } from 'zod'
import { int, text } from '../database/columns.ts'
import { type Db, query } from '../database/sql.ts'

/** A column of sealed secrets; `contextOf` binds each secret to its row. */
export type SealedColumn = {
  what: string
  table: string
  id: string
  column: string
  contextOf(id: string): string
}

/** The sealed-secrets column of a table whose id is `table.id`. */
export function sealedColumn(
  what: string,
  id: `${string}.${string}`,
  column: string,
  contextOf: (id: string) => string,
): SealedColumn {
  const [table = '', key = ''] = id.split('.')
  return { what, table, id: key, column, contextOf }
}

/** One sealed secret for each sealing key in use. */
export async function selectSealedSecrets(db: Db, columns: readonly SealedColumn[]) {
  const all = columns.map(({ table, column }) => `select ${column} as sealed from ${table}`)
  return query.values(db, text)`
    select min(sealed) as sealed from (${raw(all.join(' union all '))}) s
    where sealed is not null group by split_part(sealed, '.', 2)`
}

/** Counts a column's secrets that are not sealed with this key in the current form. */
export const countSealedOtherwise = (db: Db, { table, column }: SealedColumn, keyId: string) =>
  query.value(db, int)`
    select count(*) from ${raw(table)} where ${raw(column)} is not null
      and not starts_with(${raw(column)}, ${`v2.${keyId}.`})`

const staleRow = z.object({ id: z.uuid(), sealed: z.string() })
/** A secret in an older form, or sealed with a key other than the first. */
export type StaleSecret = z.infer<typeof staleRow>

/** The next secrets after row `after` that are not sealed with this key. */
export const selectSealedOtherwise = (
  db: Db,
  { table, id, column }: SealedColumn,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
) =>
  query.rows(db, staleRow)`
    select ${raw(id)} as id, ${raw(column)} as sealed from ${raw(table)}
    where ${raw(id)} > ${after} and ${raw(column)} is not null
      and not starts_with(${raw(column)}, ${`v2.${keyId}.`})
    order by ${raw(id)} limit ${limit}`

/** Replaces secrets that have not changed since they were read; returns how many. */
export const updateSealed = (
  db: Db,
  { table, id, column }: SealedColumn,
  secrets: readonly (StaleSecret & { anew: string })[],
) =>
  query.execute(db)`
    update ${raw(table)} t set ${raw(column)} = n.anew
    from jsonb_to_recordset(${JSON.stringify(secrets)}::jsonb)
      as n (id uuid, sealed text, anew text)
    where t.${raw(id)} = n.id and t.${raw(column)} = n.sealed`
