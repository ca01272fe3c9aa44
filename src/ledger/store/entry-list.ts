import { z } from 'zod'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { entryKinds, ledgerAccounts } from '../rules/ledger.ts'

const entryRow = z.object({
  id: z.uuid(),
  kind: z.enum(entryKinds),
  debit: z.enum(ledgerAccounts),
  credit: z.enum(ledgerAccounts),
  amount_minor: z.int(),
  currency: z.string(),
  source_kind: z.string(),
  source_id: z.uuid(),
  at: isoTime,
  note: z.string().nullable(),
})

/** A page of an account's ledger entries, newest first. */
export const selectEntries = (
  db: Db,
  accountId: string,
  { after, limit }: { after: string | null; limit: number },
) =>
  query.rows(db, entryRow)`
    select id, kind, debit, credit, amount_minor, currency, source_kind, source_id, at, note
    from ledger_entry
    where account_id = ${accountId} and (${after}::uuid is null
      or (at, id) < (select at, id from ledger_entry where id = ${after}::uuid
        and account_id = ${accountId}))
    order by at desc, id desc limit ${limit}`
