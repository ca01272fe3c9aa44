import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { type InjectedSinks, Worker } from '@temporalio/worker'
import { beforeAll, describe, expect, test } from 'vitest'
import { dataConverter } from '../../src/platform/temporal/data-converter.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { bundleFolder } from '../support/network.ts'

installQuietRuntime()

// Histories of real workflows, one per path, named <workflow>.<outcome>.<how>.json.
// To record: RECORD_HISTORIES=folder npm test -- FILE writes the history of every workflow in FILE.
// For `continued-as-new`, record test/bookings/long-runs.test.ts or, of other workflows, start the
// test Temporal server with limit.historyCount.suggestContinueAsNew=24 (test/support/servers.ts).
const folder = join(import.meta.dirname, '../histories')
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))

test.each([
  ...['confirmed', 'refused', 'completed', 'declined', 'expired', 'cancelled', 'no_show'],
  ...[
    'failed',
    'continued-as-new',
    'continued',
    'pause-ended',
    'call-cancelled',
    'by-operator',
    'batch-timed-out',
    'batch-cancelled',
    'deleted',
    'verified',
    'cancellation-requested',
    'webhook-upkeep',
    'guest-told',
    'paid',
    'refunded',
    'in-itinerary',
    'waitlist-entry',
    'test-clock',
    'itinerary',
  ],
])('a recorded history of %s exists', (path) => {
  expect(files.some((file) => file.split('.').some((part) => part.endsWith(path)))).toBe(true)
})

describe.each([
  ['as it is', false],
  ['with traces', true],
] as const)('current code, %s,', (_, traced) => {
  const errors = new Map<string, unknown>()

  beforeAll(async () => {
    const bundle = await workflowBundle(bundleFolder, traced)
    const sinks: InjectedSinks<any> = { exporter: { export: { fn() {} } } }
    const histories = files.map((file) => ({
      workflowId: file,
      history: historyFromJSON(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
    }))
    const options = { workflowBundle: bundle, sinks, dataConverter }
    for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
      errors.set(workflowId, error)
    }
  })

  test.each(files)('replays %s', (file) => {
    expect(errors.has(file)).toBe(true)
    expect(errors.get(file)).toBeUndefined()
  })
})
