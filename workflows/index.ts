import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow'
import { mirror } from './confirmation/mirror.ts'
import { anyOf, itinerary } from './itineraries/group.ts'
import { retention } from './retention.ts'
import { sweep } from './sweep.ts'
import { waitlistScan } from './waitlist.ts'
import { webhookUpkeep } from './webhooks/webhook-upkeep.ts'

export { booking } from './bookings/booking.ts'
export { waitlistEntry } from './waitlist.ts'
export { webhookDelivery } from './webhooks/webhook-delivery.ts'
export { anyOf, itinerary, mirror, retention, sweep, waitlistScan, webhookUpkeep }

type Workflow = (...args: never[]) => Promise<unknown>

// Worker Versioning: what lasts a day at most ends on the version that began it. The others, which
// last for months, move to the current version with their next task, as the workers' default says.
const short: Workflow[] = [anyOf, itinerary, mirror, retention, sweep, waitlistScan, webhookUpkeep]
// The server takes no behaviour from workers without a version.
const pinned = () =>
  workflowInfo().currentDeploymentVersion?.deploymentName
    ? ({ versioningBehavior: 'PINNED' } as const)
    : {}
for (const workflow of short) setWorkflowOptions(pinned, workflow)
