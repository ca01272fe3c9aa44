import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Limit } from '../../platform/database/erase-through.ts'
import { type Db, execute, queryRow } from '../../platform/database/sql.ts'

const notedRow = z.object({ is_known: z.boolean(), has_any: z.boolean() })

/**
 * Notes the device and the network address of a sign-in, as digests. True when one of them is new,
 * unless the developer has none yet: then there is nothing to compare with.
 */
export async function noteSignIn(
  tx: Db,
  developerId: string,
  { at, device, address }: { at: Date; device: string; address: string },
): Promise<boolean> {
  const places = [digestOf(`device ${device}`), digestOf(`address ${address}`)]
  const { is_known, has_any } = await queryRow(tx, notedRow)`
    with noted as (
      insert into sign_in_place (developer_id, place, seen_at)
      select ${developerId}, place, ${at} from unnest(${places}::bytea[]) place
      on conflict (developer_id, place) do update set seen_at = excluded.seen_at
    )
    select count(*) filter (where place = any(${places})) = ${places.length} as is_known,
      count(*) > 0 as has_any
    from sign_in_place where developer_id = ${developerId}`
  return has_any && !is_known
}

const digestOf = (place: string): Buffer => createHash('sha256').update(place).digest()

/** Deletes up to `limit` places that were last seen before; returns how many. */
export const deleteOldPlaces = (db: Db, before: Date, limit: Limit) =>
  execute(db)`
    delete from sign_in_place where (developer_id, place) in (
      select developer_id, place from sign_in_place where seen_at < ${before} limit ${limit}
      for update skip locked)`
