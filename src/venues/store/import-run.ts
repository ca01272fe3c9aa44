import sql from 'sql-template-tag'
import { z } from 'zod'
import { boolean, int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { VenueKey } from './venue-content.ts'

const LOCK = 7_203_140_077

/** Begins an import in a transaction; false if another one is running. */
export async function beginImport(tx: Db): Promise<boolean> {
  const locked = await query.value(tx, boolean)`
    select pg_try_advisory_xact_lock(${LOCK}) as locked`
  if (!locked) return false
  // A file may come from a slow disk, and constraint checks of a large import at commit take time.
  await query.execute(tx)`set local idle_in_transaction_session_timeout = 0`
  await query.execute(tx)`set local statement_timeout = 0`
  // Merging new words into the search index in larger batches takes a third of the time;
  // `settleSearchIndex` merges the last batch, if permitted.
  await query.execute(tx)`
    select set_config('gin_pending_list_limit', '16MB', true) from pg_class
    where oid = 'venue'::regclass and pg_has_role(relowner, 'usage')`
  await query.execute(tx)`delete from import_row`
  await query.execute(tx)`delete from import_seats`
  await query.execute(tx)`savepoint imported`
  return true
}

/** Undoes everything since the import began. */
export async function undoImport(tx: Db): Promise<void> {
  await query.execute(tx)`rollback to savepoint imported`
}

const keyedRow = z.object({ source: z.string(), external_id: z.string(), row: z.int() })

/** Records which rows of the file describe these venues; returns the first row for each. */
export async function insertImportRows(
  tx: Db,
  rows: readonly (VenueKey & { row: number })[],
): Promise<(VenueKey & { row: number })[]> {
  const inserted = await query.rows(tx, keyedRow)`
    insert into import_row (source, external_id, row)
    select * from unnest(${keyColumns(rows)}, ${rows.map(({ row }) => row)}::int[])
    on conflict do nothing
    returning source, external_id, row`
  if (inserted.length === rows.length) return inserted
  return query.rows(tx, keyedRow)`
    select source, external_id, row from import_row
    where (source, external_id) in (select * from unnest(${keyColumns(rows)}))`
}

const keyColumns = (keys: readonly VenueKey[]) => sql`
  ${keys.map(({ source }) => source)}::text[],
  ${keys.map(({ external_id }) => external_id)}::text[]`

/** How many venues of the file's sources are not in the file. */
export const countLeftOut = (tx: Db): Promise<number> =>
  query.value(tx, int)`
    select count(*) as count from venue_source s
    join venue v on v.id = s.venue_id and not v.is_test
    where s.source in (select distinct source from import_row)
      and not exists (select from import_row i
        where i.source = s.source and i.external_id = s.external_id)`

/** Records the new number of places per slot for these services. */
export const insertImportSeats = (
  tx: Db,
  services: readonly { id: string; rules: { places: number } }[],
) =>
  query.execute(tx)`
    insert into import_seats (service_id, places) select *
      from unnest(${services.map(({ id }) => id)}::uuid[],
        ${services.map(({ rules }) => rules.places)}::int[])`

/**
 * Applies the new number of places to upcoming slots, never below the number taken. The last step
 * of an import, as it locks counters that bookings wait for.
 */
export const updateSlotCounters = (tx: Db, at: Date) =>
  query.execute(tx)`
    update slot_counter c set cap = greatest(c.used, p.places), closed = false
    from import_seats p where c.service_id = p.service_id and c.starts_at > ${at}`

/**
 * Merges the pending entries of the search indexes, so that no search has to scan them. Only their
 * owner is allowed to; if the import runs in the serving role, autovacuum does it soon.
 */
export async function settleSearchIndex(tx: Db): Promise<void> {
  await query.execute(tx)`
    select gin_clean_pending_list(i.indexrelid) from pg_index i
    join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
    where i.indrelid = 'venue'::regclass and m.amname = 'gin'
      and pg_has_role(c.relowner, 'usage')`
}
