import { expect } from 'vitest'
import { type MadeEndpoint, putEvents } from '../support/endpoints.ts'
import { detailsOf } from '../support/histories.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { answers, openReceiver } from '../support/receiver.ts'
import { openSender } from '../support/sender.ts'
import { test } from '../support/service.ts'
import { openTemporalCommand } from '../support/temporal-command.ts'

type Named = { userMetadata?: { summary?: { data: string } } }

/** The command `temporal`, as typed by an operator for an endpoint's workflow. */
async function openCommand(service: Service, { endpointId }: MadeEndpoint) {
  const { client, db } = service
  const { temporal, signal } = await openTemporalCommand(service)
  const workflowId = `webhook/${endpointId}`
  const history = () => temporal('show', '--workflow-id', workflowId, '--output', 'json')
  return {
    signal: (name: string, ...input: string[]) => signal(workflowId, name, ...input),
    untilListed: (status: string) =>
      eventually(`the list of ${status}`, async () => {
        const query = `EndpointStatus = '${status}' and EndpointId = '${endpointId}'`
        return (await temporal('list', '--query', query)).includes(workflowId)
      }),
    untilStatus: (status: string) =>
      eventually(status, async () => {
        const { rows } = await db.query('select status from endpoint where id = $1', [endpointId])
        return rows[0].status === status
      }),
    untilShown: (text: RegExp) =>
      eventually(`${text} in the details`, async () =>
        text.test(await detailsOf(client, workflowId)),
      ),
    history,
    /** The names of the workflow's timers and activities. */
    async summaries(): Promise<string[]> {
      const { events } = JSON.parse(await history()) as { events: Named[] }
      return events.map(({ userMetadata }) =>
        Buffer.from(userMetadata?.summary?.data ?? '', 'base64').toString(),
      )
    },
  }
}

async function delivered(service: Service, count: number) {
  const sender = openSender(service)
  const receiver = await openReceiver()
  const endpoint = await sender.make({ url: receiver.url })
  await putEvents(service.db, endpoint.accountId, count)
  await sender.until(endpoint, { delivered: count })
  return { sender, receiver, endpoint, command: await openCommand(service, endpoint) }
}

test(`the signals of the runbook work by the command temporal,
      which sends nothing that is not JSON`, async ({ service }) => {
  const { receiver, command } = await delivered(service, 2)
  const { signal, untilStatus, untilListed, untilShown } = command
  await signal('pause', '{"by": "Ayu"}')
  await untilStatus('paused')
  await untilListed('paused')
  await signal('resume', '{"by": "Ayu"}')
  await untilStatus('active')
  await untilListed('active')
  await signal('disable', '{"id": "INC-1", "by": "Ayu"}')
  await untilStatus('disabled')
  await untilListed('disabled')
  await signal('resume', '{"by": "Ayu", "from": "disabled", "held": "discard"}')
  await untilStatus('active')
  await signal('disable', '{"id": "INC-1", "by": "Ayu"}')
  await untilShown(/`disable` done already/)
  await untilStatus('active')
  for (let times = 0; times < 2; times += 1) {
    await signal('replay', '{"id": "INC-2", "by": "Ayu", "from_number": 1, "per_second": 50}')
  }
  await eventually('both again', async () => receiver.received.length === 4)
  await untilShown(/`replay` done already/)
  expect(receiver.received).toHaveLength(4)
  await expect(signal('pause', 'now')).rejects.toThrow(/JSON/i)
  await receiver.close()
})

test('the command rotates a secret once per id, and never shows it', async ({ service }) => {
  const { receiver, endpoint, command } = await delivered(service, 1)
  for (let times = 0; times < 2; times += 1) {
    await command.signal('rotateSecret', '{"id": "INC-3", "by": "Ayu", "overlap_hours": 1}')
  }
  await command.untilShown(/`rotateSecret` key [0-9a-f-]{36} signs; the one before signs for 1 h/)
  await command.untilShown(/`rotateSecret` done already/)
  const { rows } = await service.db.query('select id from signing_key where endpoint_id = $1', [
    endpoint.endpointId,
  ])
  expect(rows).toHaveLength(2)
  expect(await command.history()).not.toContain('whsec_')
  await receiver.close()
})

test('the command lists an endpoint that fails, and its history names the event', async ({
  service,
}) => {
  const { sender, receiver, endpoint, command } = await delivered(service, 1)
  receiver.answer = answers(500, {}, 'no')
  await putEvents(service.db, endpoint.accountId, 1)
  await sender.tell(endpoint)
  await command.untilListed('failing')
  await eventually('the name of the event', async () =>
    (await command.summaries()).some((text) => /#2 → HTTP 500, next \d\d:\d\d/.test(text)),
  )
  await receiver.close()
})
