import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../../contract/cursor.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor } from '../../contract/public.ts'
import { breach, promised } from '../schema/guarantee.ts'
import { selectBreaches } from '../store/breaches.ts'
import { promisedTerms } from './promised-terms.ts'

const position = z.tuple([z.iso.datetime(), z.uuid()])

export const readGuarantee = defineOperation({
  name: 'guarantee',
  summary: 'The guarantee and your credits',
  description:
    'Answers what the network promises for each booking, with the credit for each breach, and ' +
    'the breaches of your account, newest first. The network finds and credits them by itself; ' +
    'a credit is taken off your next invoice.',
  tier: 'free',
  mayLag: true,
  scope: 'usage',
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({
    promises: z.array(promised),
    breaches: z.array(breach),
    next_cursor: nextCursor,
  }),
  errors: ['invalid_cursor'],
  async run(ctx, { limit, cursor }) {
    const after = cursor === undefined ? null : decodePosition(cursor)
    const found = await selectBreaches(ctx.db, accountOf(ctx).id, { after, limit: limit + 1 })
    const breaches = found.slice(0, limit)
    const last = found.length > limit ? breaches.at(-1) : undefined
    const next_cursor = last ? encodeCursor([last.found_at, last.id]) : null
    return { promises: [...promisedTerms], breaches, next_cursor }
  },
})

function decodePosition(cursor: string) {
  const [at, id] = decodeCursor(position, cursor)
  return { at: new Date(at), id }
}
