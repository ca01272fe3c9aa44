import { patched, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'

const {
  resumeLostBookings,
  resumeLostGroups,
  deliverStatements,
  deliverCommands,
  eraseGuestDetails,
  eraseOldKeys,
  wakeWaitingEndpoints,
} = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { maximumAttempts: 3 },
})

/** Ids of bookings and groups, and of how many guests the details were erased. */
type Swept = {
  resumed: string[]
  heard: string[]
  commanded: string[]
  erased: number
  /** endpoints that were told again of what is due */
  woken: number
}

/**
 * The guarantee behind every booking: whatever lost its workflow gets it back, and what its venue
 * said and its agent wants reaches it. Run every
 * 15 s by a schedule.
 */
export async function sweep(): Promise<Swept> {
  const resumed: string[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<Activities['resumeLostBookings']>> = await resumeLostBookings(
      Date.now(),
      after,
    )
    resumed.push(...page.resumed)
    after = page.next
  } while (after !== null)
  const heard = patched('venue statements') ? await deliverStatements(Date.now()) : []
  const commanded = patched('commands') ? await deliverCommands(Date.now()) : []
  const erased = await eraseGuestDetails(Date.now())
  if (patched('commands')) await eraseOldKeys(Date.now())
  if (patched('groups')) resumed.push(...(await resumeLostGroups(Date.now())))
  const woken = patched('webhooks') ? await wakeWaitingEndpoints(Date.now()) : 0
  return { resumed, heard, commanded, erased, woken }
}
