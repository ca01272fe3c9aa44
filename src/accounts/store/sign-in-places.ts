import { createHash } from 'node:crypto'
import { z } from 'zod'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const notedRow = z.object({ is_known: z.boolean(), is_first: z.boolean() })

/**
 * Records the device and network address of a sign-in, as digests. True if one of them is new;
 * false at the sign-in of a sign-up, which has nothing to compare with.
 */
export async function noteSignIn(
  tx: Db,
  developerId: string,
  { at, device, address }: { at: Date; device: string; address: string },
): Promise<boolean> {
  const places = [digestOf(`device ${device}`), digestOf(`address ${address}`)]
  const { is_known, is_first } = await query.row(tx, notedRow)`
    with noted as (
      insert into sign_in_place (developer_id, place, seen_at)
      select ${developerId}, place, ${at} from unnest(${places}::bytea[]) place
      on conflict (developer_id, place) do update set seen_at = excluded.seen_at
    )
    select count(*) filter (where place = any(${places})) = ${places.length} as is_known,
      (select created_at >= ${at} from developer where id = ${developerId}) as is_first
    from sign_in_place where developer_id = ${developerId}`
  return !is_first && !is_known
}

const digestOf = (place: string): Buffer => createHash('sha256').update(place).digest()

/** Places last seen before a time. */
export const oldPlaces = (before: Date) =>
  rowsBefore('sign_in_place', 'seen_at', before, 'developer_id, seen_at')
