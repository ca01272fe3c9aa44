import { Worker } from '@temporalio/worker'
import {
  createAccountMailActivities,
  createPaymentActivities,
  createVenueActivities,
} from '../../activities/index.ts'
import { publicUrlOf } from '../config.ts'
import { countVenueCalls } from '../confirmation/venue-metrics.ts'
import { VENUES_QUEUE } from '../contract/rules/task-queues.ts'
import { openFacilitator } from '../open-facilitator.ts'
import { createOutbound } from '../platform/http/client.ts'
import { connectorPolicy } from '../platform/http/target.ts'
import { atMost, createSendMail, mailTransport } from '../platform/mail/send-mail.ts'
import { BEAT, type QueueWorker, sharedOptions, type WorkerBase } from './worker-base.ts'

/** Concurrent calls to venues. */
const MOST_CALLS = 500
/** Concurrent connections to the mail server */
const MOST_MAILS = 20

/** Calls to venues, notices to their staff, and mails to guests and developers. */
export async function openVenuesWorker(base: WorkerBase): Promise<QueueWorker> {
  const { config, instruments, db, sealer, log, stopping } = base
  const outbound = createOutbound(connectorPolicy(config))
  const payments = openFacilitator(config, db)
  const sendsMail = mailTransport(config) !== 'none'
  const mailing = {
    publicUrl: publicUrlOf(config),
    sendMail: sendsMail ? atMost(MOST_MAILS, createSendMail(config, db, log)) : undefined,
  }
  const worker = await Worker.create({
    ...sharedOptions(base),
    taskQueue: VENUES_QUEUE,
    activities: {
      ...createVenueActivities({
        ...{ db, outbound, sealer, log, stopping, ...mailing },
        count: countVenueCalls(instruments.metrics),
      }),
      ...createAccountMailActivities({ db, log, ...mailing }),
      ...createPaymentActivities({ db, log, facilitator: payments?.facilitator }),
    },
    maxConcurrentActivityTaskExecutions: MOST_CALLS,
    maxHeartbeatThrottleInterval: BEAT,
  })
  return {
    worker,
    async close() {
      await outbound.close()
      await payments?.close?.()
    },
  }
}
