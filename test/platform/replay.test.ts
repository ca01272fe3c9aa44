import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { DefaultLogger, type InjectedSinks, Runtime, Worker } from '@temporalio/worker'
import { beforeAll, describe, expect, test } from 'vitest'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { bundleFolder } from '../support/network.ts'

Runtime.install({ logger: new DefaultLogger('ERROR') })

// Histories of real bookings, one file per path through the workflow, named <workflow>.<version>.<path>.<detail>.json. Recorded
// while `npm start` runs: temporal workflow show -n venue-network -w WORKFLOW_ID --output json > FILE
// What takes days was recorded in skipped time (long-life.test.ts).
const folder = join(import.meta.dirname, '../histories')
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))

test('there is a recorded history for each way a booking can go', () => {
  for (const path of [
    'confirmed',
    'refused',
    'completed',
    'declined',
    'expired',
    'cancelled',
    'no_show',
  ]) {
    expect(files.some((file) => file.includes(`.${path}.`))).toBe(true)
  }
})

describe.each([
  ['as it is', false],
  ['with traces', true],
] as const)('today’s code, %s,', (_, traced) => {
  const errors = new Map<string, unknown>()

  beforeAll(async () => {
    const bundle = await workflowBundle(bundleFolder, traced)
    const sinks: InjectedSinks<any> = { exporter: { export: { fn() {} } } }
    const histories = files.map((file) => ({
      workflowId: file,
      history: historyFromJSON(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
    }))
    const options = { workflowBundle: bundle, sinks }
    for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
      errors.set(workflowId, error)
    }
  })

  test.each(files)('replays %s', (file) => {
    expect(errors.has(file)).toBe(true)
    expect(errors.get(file)).toBeUndefined()
  })
})
