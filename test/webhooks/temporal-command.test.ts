import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'
import { putEvents } from '../support/endpoints.ts'
import { eventually } from '../support/programs.ts'
import { openReceiver } from '../support/receiver.ts'
import { openSender } from '../support/sender.ts'
import { test } from '../support/service.ts'

const run = promisify(execFile)

test(`the signals of the runbook work by the command temporal,
      which sends nothing that is not JSON`, async ({ service }) => {
  const cli = await findTemporalCli({ chosen: process.env.TEMPORAL_CLI })
  const sender = openSender(service)
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  await putEvents(service.db, endpoint.accountId, 2)
  await sender.until(endpoint, { delivered: 2 })
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = service.config
  const signal = (name: string, ...input: string[]) =>
    run(cli, [
      ...['workflow', 'signal', '--address', address, '--namespace', namespace],
      ...['--workflow-id', `webhook/${endpoint.endpointId}`, '--name', name],
      ...input.flatMap((text) => ['--input', text]),
    ])
  const untilStatus = (wanted: string) =>
    eventually(wanted, async () => {
      const { rows } = await service.db.query('select status from endpoint where id = $1', [
        endpoint.endpointId,
      ])
      return rows[0].status === wanted
    })

  await signal('pause')
  await untilStatus('paused')
  await signal('resume')
  await untilStatus('active')
  await signal('disable', '{"id": "INC-1"}')
  await untilStatus('disabled')
  await signal('resume', '{"from": "disabled", "held": "discard"}')
  await untilStatus('active')
  await signal('replay', '{"id": "INC-2", "from_number": 1, "per_second": 50}')
  await eventually('both again', async () => receiver.received.length === 4)
  await expect(signal('pause', 'now')).rejects.toThrow(/JSON/i)
  await receiver.close()
})
