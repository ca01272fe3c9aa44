import { hashKey } from '../../accounts/store/key-secret.ts'
import { MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import { timeOfId } from '../../base/ids.ts'
import type { Services } from '../../contract/operation.ts'
import type { Db } from '../../platform/database/sql.ts'
import { type OperatorSearch, readOperatorSearch } from '../rules/find.ts'
import * as find from '../store/find.ts'
import { selectRequestDetail } from '../store/requests.ts'

export type { OperatorMatch } from '../store/find.ts'

type Find = (db: Db, text: string) => Promise<find.OperatorMatch[]>

const finders: Record<OperatorSearch['by'], Find> = {
  id: (db, id) => find.selectById(db, id, spanOf(id)),
  email: find.selectByEmail,
  key: (db, raw) => find.selectByKeyHash(db, hashKey(raw)),
  keyEnd: find.selectByKeyEnd,
  word: async (db, word) => (word === '' ? [] : find.selectByWord(db, word)),
}

/** Everything that an operator's input may refer to, by id, address, key, slug or name. */
export function findAnything({ db }: Pick<Services, 'db'>, typed: string) {
  const { by, text } = readOperatorSearch(typed)
  return finders[by](db, text)
}

/** A logged call by any account; undefined if the log contains none with this id. */
export async function findRequest({ db }: Pick<Services, 'db'>, id: string) {
  const span = spanOf(id)
  return span ? selectRequestDetail(db, id, span) : undefined
}

/** The time span in which a request was logged, from the time in its id. */
function spanOf(id: string): { from: Date; until: Date } | null {
  const at = timeOfId(id)?.getTime()
  if (at === undefined) return null
  return { from: new Date(at - 5 * SECOND_MS), until: new Date(at + MINUTE_MS) }
}
