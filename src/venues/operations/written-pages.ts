import { LRUCache } from 'lru-cache'
import {
  evaluated,
  type SlotPlan,
  type TimedSlotPlan,
} from '../../availability/store/bookable-slots.ts'
import type { TakenInventory } from '../../availability/store/inventory-query.ts'
import type { Context } from '../../contract/operation.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { BlockPlan } from './block-plans.ts'

/** A block with its slots evaluated, and the inventory used for that. */
export type JudgedBlock<P, R> = { plan: BlockPlan; slots: P; inventory: string; result: R }

/** How to plan the slots of a block, perhaps reusing `earlier`, and how to evaluate them. */
type Judge<P extends SlotPlan, R> = {
  plan(earlier: P | undefined): Promise<P>
  judge(slots: P, inventory: TakenInventory): Promise<{ result: R } | { wider: P }>
}

/** Evaluates a block. Returns `before` if its plan and inventory have not changed. */
export async function evaluateBlock<P extends TimedSlotPlan, R>(
  { db, at }: Pick<Context, 'db' | 'at'>,
  plan: BlockPlan,
  before: JudgedBlock<P, R> | undefined,
  how: Judge<P, R>,
): Promise<JudgedBlock<P, R>> {
  const isPlanned = before?.plan === plan && at.getTime() <= before.slots.holdsUntil
  const first = isPlanned ? before.slots : await how.plan(before?.slots)
  return evaluated(db, first, async (slots, inventory) => {
    const isSame = before?.inventory === inventory.text && isJudgedAlike(slots, before.slots)
    if (isSame && slots === before.slots && isPlanned) return { result: before }
    const outcome = isSame ? { result: before.result } : await how.judge(slots, inventory)
    return 'wider' in outcome
      ? outcome
      : { result: { plan, slots, inventory: inventory.text, ...outcome } }
  })
}

/** Whether two plans yield the same free slots for the same inventory. */
const isJudgedAlike = (one: SlotPlan, other: SlotPlan): boolean =>
  one === other ||
  (one.candidates === other.candidates && one.mirror.size === 0 && other.mirror.size === 0)

// biome-ignore lint/suspicious/noExplicitAny: the key decides what a page holds
type WrittenPage = { blocks: readonly JudgedBlock<any, any>[]; page: any }
const pages = perDatabase(() => new LRUCache<string, WrittenPage>({ max: 2_000 }))

/** The page as last written, as long as `compose` returns the same blocks. */
export async function writtenPage<B extends WrittenPage['blocks'][number], W>(
  db: Db,
  key: readonly unknown[],
  compose: (before: readonly B[]) => Promise<{ blocks: readonly B[]; write: () => W }>,
): Promise<W> {
  const name = JSON.stringify(key)
  const cached = pages(db).get(name)
  const { blocks, write } = await compose((cached?.blocks ?? []) as readonly B[])
  const isSame = cached?.blocks.length === blocks.length
  if (isSame && blocks.every((block, index) => block === cached.blocks[index])) return cached.page
  const page = write()
  pages(db).set(name, { blocks, page })
  return page
}
