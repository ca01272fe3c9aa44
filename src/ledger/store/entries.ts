import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { countRow } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { EntryKind, LedgerEntry } from '../rules/ledger.ts'

const postedRow = countRow.extend({ differing: z.int() })

/**
 * Adds entries to the ledger and returns how many are new. If a source has already posted an entry
 * of the same kind, the earlier entry stays. Throws if the two differ.
 */
export async function postEntries(tx: Db, entries: readonly LedgerEntry[]): Promise<number> {
  const rows = entries.map(({ at, ...entry }) => ({
    id: randomUUIDv7(),
    at: at.toISOString(),
    account_id: entry.accountId,
    amount_minor: entry.amountMinor,
    source_kind: entry.sourceKind,
    source_id: entry.sourceId,
    currency: entry.currency,
    kind: entry.kind,
    debit: entry.debit,
    credit: entry.credit,
    note: entry.note ?? null,
  }))
  // A statement does not see its own inserts, so `differing` compares only earlier entries.
  const { count, differing } = await query.row(tx, postedRow)`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as g (id uuid,
        account_id uuid, currency char(3), kind text, debit text, credit text,
        amount_minor bigint, source_kind text, source_id uuid, at timestamptz, note text)
    ), posted as (
      insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
        source_kind, source_id, at, note)
      select id, account_id, currency, kind, debit, credit, amount_minor, source_kind, source_id,
        at, note from given
      on conflict on constraint ledger_entry_once do nothing
      returning 1
    )
    select (select count(*) from posted) as count,
      (select count(*) from given g join ledger_entry e using (source_kind, source_id, kind)
        where (g.account_id, g.currency, g.debit, g.credit, g.amount_minor)
          <> (e.account_id, e.currency, e.debit, e.credit, e.amount_minor)) as differing`
  if (differing > 0) throw new Error('a source posted the same kind of entry with another amount')
  return count
}

type Source = { sourceKind: string; sourceId: string; kinds: readonly EntryKind[] }

/** Whether a source has posted an entry of one of these kinds. */
export const hasPosted = (db: Db, { sourceKind, sourceId, kinds }: Source) =>
  query.affectsRow(db)`
    select from ledger_entry
    where source_kind = ${sourceKind} and source_id = ${sourceId} and kind = any(${kinds}) limit 1`
