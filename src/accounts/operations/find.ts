import { z } from 'zod'
import { plainWords } from '../../base/plain-text.ts'
import { accountOf, type Context, defineOperation, isTest } from '../../contract/operation.ts'
import { readAccountSearch } from '../rules/account-search.ts'
import * as matches from '../store/account-matches.ts'
import { hashKey } from '../store/key-secret.ts'

export type { AccountMatch } from '../store/account-matches.ts'

/** Maximum matches of each kind. */
const MAX_FOUND = 10
const MAX_WORDS = 8

/**
 * Finds what an id, name or URL belongs to, among the account’s own objects and all venues. For the
 * dashboard's search box; not in the catalogue, as API callers have an operation per kind.
 */
export const find = defineOperation({
  name: 'find',
  summary: 'Find anything by its id or name',
  description: 'Finds bookings, events, deliveries, endpoints, requests, keys, agents and venues.',
  input: z.strictObject({ q: z.string().max(200) }),
  output: z.object({
    found: z.array(
      z.object({
        kind: z.enum(matches.matchKinds),
        ref: z.string(),
        label: z.string(),
      }),
    ),
  }),
  async run(ctx, { q }) {
    const lists = await Promise.all(queriesOf(ctx, q))
    return { found: lists.flat() }
  },
})

function queriesOf(ctx: Context, q: string): Promise<matches.AccountMatch[]>[] {
  const { db } = ctx
  const { id: accountId } = accountOf(ctx)
  const { id, number, key, words } = readAccountSearch(q)
  if (key !== null) return [matches.selectByKeyHash(db, accountId, hashKey(key))]
  if (id !== null) {
    return [
      matches.selectById(db, accountId, id, isTest(ctx)),
      matches.selectRequestById(db, accountId, id),
    ]
  }
  if (words === '') return []
  const names = plainWords(words).slice(0, MAX_WORDS)
  return [
    ...(number === null ? [] : [matches.selectByNumber(db, accountId, number)]),
    matches.selectByText(db, accountId, words, MAX_FOUND),
    ...(names.length > 0 ? [matches.selectVenuesNamed(db, names, isTest(ctx), MAX_FOUND)] : []),
  ]
}
