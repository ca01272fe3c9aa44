import { hashKey } from '../../accounts/store/key-secret.ts'
import type { Services } from '../../contract/operation.ts'
import { MINUTE_MS, SECOND_MS } from '../../contract/rules/durations.ts'
import { readSought, timeOfId } from '../rules/find.ts'
import * as find from '../store/find.ts'
import { selectRequestDetail } from '../store/requests.ts'

export type { OperatorMatch } from '../store/find.ts'

/** What an operator typed may name these, by id, address, key, slug or name. */
export async function findAnything(
  { db }: Pick<Services, 'db'>,
  typed: string,
): Promise<find.OperatorMatch[]> {
  const sought = readSought(typed)
  switch (sought.is) {
    case 'id':
      return find.selectById(db, sought.id, spanOf(sought.id))
    case 'email':
      return find.selectByEmail(db, sought.email)
    case 'raw key':
      return find.selectByKeyHash(db, hashKey(sought.raw))
    case 'end of a key':
      return find.selectByKeyEnd(db, sought.end)
    case 'word':
      return sought.word === '' ? [] : find.selectByWord(db, sought.word)
  }
}

/** A logged call of any account; undefined where none is logged under this id. */
export async function findRequest({ db }: Pick<Services, 'db'>, id: string) {
  const span = spanOf(id)
  return span ? selectRequestDetail(db, id, span) : undefined
}

/** When a request with this id was logged: it is made with the id, and logged as of then. */
function spanOf(id: string): { from: Date; until: Date } | null {
  const at = timeOfId(id)?.getTime()
  if (at === undefined) return null
  return { from: new Date(at - 5 * SECOND_MS), until: new Date(at + MINUTE_MS) }
}
