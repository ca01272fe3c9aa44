import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { createEngine } from '../../src/compose/engine.ts'
import { openWork } from '../../src/compose/parts.ts'
import { countMissing } from '../../src/contract/open-work.ts'
import { endpointWorkflowId } from '../../src/webhooks/rules/endpoint-messages.ts'
import { findSlot } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually, startProgram } from '../support/programs.ts'

let service: Service

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())

async function resumeAll(...options: string[]) {
  const program = startProgram('src/commands/resume-all.ts', service.env, options)
  const [code] = await once(program.process, 'close')
  return { code, said: program.output() }
}

const stateOf = async (workflowId: string) =>
  (await service.client.workflow.getHandle(workflowId).describe()).status.name

/** How many rows of each kind lack their workflow, according to the server's list. */
async function missing() {
  const { db, client } = service
  const engine = createEngine(client)
  const counts = await Promise.all(
    openWork.map(async (work) => [work.name, await countMissing(work, { db, engine })]),
  )
  return Object.fromEntries(counts)
}

test('lost workflows with nothing due are counted, and all are restored', async () => {
  const { agent, client } = service
  const { body } = await agent.post('/api/bookings', await findSlot(agent, 'restaurant'))
  const made = await agent.post('/api/webhooks', { url: 'https://hooks.example.com/x' })
  const lost = [bookingWorkflowId(body.booking.id), endpointWorkflowId(made.body.endpoint.id)]
  await eventually('nothing to be missing', async () =>
    Object.values(await missing()).every((count) => count === 0),
  )
  for (const id of lost) await client.workflow.getHandle(id).terminate()
  await eventually('both to be missing', async () => {
    const { bookings, endpoints } = await missing()
    return bookings === 1 && endpoints === 1
  })
  const { said, code } = await resumeAll()
  expect({ said, code }).toMatchObject({ code: 0 })
  expect(said).toMatch(/bookings +1 resumed, 0 failed\n/)
  expect(said).toMatch(/endpoints +1 resumed, 0 failed\n/)
  for (const id of lost) expect(await stateOf(id)).toBe('RUNNING')
  const again = await resumeAll()
  expect(again.said).toMatch(/bookings +0 resumed, 0 failed\n/)
})

test('a senseless pace is refused', async () => {
  const { said, code } = await resumeAll('--per-second', '0')
  expect(code).not.toBe(0)
  expect(said).toContain('--per-second takes a number above 0, at most 1000.')
})
