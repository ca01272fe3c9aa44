import { setTimeout } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { createEngine } from '../../src/compose/engine.ts'
import { readConfig } from '../../src/config/config.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { createEndpointNotifier } from '../../src/webhooks/hooks.ts'
import { DELIVER_SIGNAL } from '../../src/webhooks/rules/endpoint-messages.ts'
import { notifyOnCommit } from '../../src/webhooks/store/outbox.ts'
import { type MadeEndpoint, makeEndpoint } from '../../test/support/endpoints.ts'
import type { Service } from './service.ts'
import { countOpen } from './webhook-events.ts'

export type BenchSender = Awaited<ReturnType<typeof openBenchSender>>

/** Creates endpoints, and notifies the sender as a door does after committing. */
export async function openBenchSender({ db, dataDir, temporalAddress }: Service) {
  const config = readConfig({ DATA_DIR: dataDir })
  const sealer = createSealer(secretsKeys(config))
  const connection = await Connection.connect({ address: temporalAddress })
  const engine = createEngine(new Client({ connection, namespace: config.TEMPORAL_NAMESPACE }))
  notifyOnCommit(
    db,
    createEndpointNotifier(engine, () => {}),
  )
  return {
    create: (url: string, accountId?: string) =>
      makeEndpoint(db, sealer, { url, ...(accountId && { accountId }) }),
    notify: ({ endpointId, accountId }: MadeEndpoint) =>
      engine.signalEndpoint({ endpointId, accountId }, { name: DELIVER_SIGNAL }),
    engine,
    close: () => connection.close(),
  }
}

/** Waits until these endpoints have no deliveries left. */
export async function allDelivered({ db }: Service, endpoints: readonly MadeEndpoint[]) {
  const accounts = endpoints.map(({ accountId }) => accountId)
  while ((await countOpen(db, accounts)) > 0) await setTimeout(20)
}
