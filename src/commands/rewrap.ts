import { sealedColumns } from '../compose/parts.ts'
import type { Db } from '../platform/database/sql.ts'
import {
  countSealedOtherwise,
  type SealedColumn,
  type StaleSecret,
  selectSealedOtherwise,
  updateSealed,
} from '../platform/sealing/sealed-columns.ts'
import type { Sealer } from '../platform/sealing/sealing.ts'

const STEP = 200
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Seals every stored secret with the first key, in small steps, so that it can be interrupted and
 * repeated. Reports progress to `tell`. Throws at the end if any secrets could not be opened.
 */
export async function rewrap(db: Db, sealer: Sealer, tell: (line: string) => void) {
  const [keyId = '', ...older] = sealer.keyIds
  const broken: string[] = []
  let sealed = 0
  for (const column of sealedColumns) {
    const done = await rewrapColumn(db, sealer, { column, keyId, tell })
    sealed += done.sealed
    broken.push(...done.broken)
  }
  if (broken.length > 0) throw new Error(`These secrets could not be opened:\n${broken.join('\n')}`)
  const rest = await countLeft(db, keyId)
  if (rest > 0) {
    return (
      `${rest} secrets have since been written with another key: restart the API and workers ` +
      `with "${keyId}" first in SECRETS_KEY, then run this again.`
    )
  }
  const keep =
    older.length > 0
      ? ` Keep ${older.join(', ')} last in SECRETS_KEY, for the links of guests and venues and ` +
        'for the addresses that opted out of emails.'
      : ''
  return `${sealed} secrets were sealed anew; all are sealed with "${keyId}" now.${keep}`
}

async function rewrapColumn(
  db: Db,
  sealer: Sealer,
  { column, keyId, tell }: { column: SealedColumn; keyId: string; tell: (line: string) => void },
): Promise<{ sealed: number; broken: string[] }> {
  const total = await countSealedOtherwise(db, column, keyId)
  const broken: string[] = []
  let sealed = 0
  let after = BEFORE_ALL
  for (;;) {
    const page = await selectSealedOtherwise(db, column, { keyId, after, limit: STEP })
    const last = page.at(-1)
    if (!last) return { sealed, broken }
    const { anew, faults } = sealAnew(sealer, column, page)
    sealed += await updateSealed(db, column, anew)
    broken.push(...faults)
    after = last.id
    tell(`${column.what}: ${sealed} of ${total}`)
  }
}

function sealAnew(sealer: Sealer, { contextOf }: SealedColumn, page: readonly StaleSecret[]) {
  const anew: (StaleSecret & { anew: string })[] = []
  const faults: string[] = []
  for (const secret of page) {
    const context = contextOf(secret.id)
    try {
      const plain = sealer.open(secret.sealed, context)
      anew.push({ ...secret, anew: sealer.seal(plain, context) })
    } catch (error) {
      faults.push(String(error instanceof Error ? error.message : error))
    }
  }
  return { anew, faults }
}

async function countLeft(db: Db, keyId: string): Promise<number> {
  const counts = sealedColumns.map((column) => countSealedOtherwise(db, column, keyId))
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
