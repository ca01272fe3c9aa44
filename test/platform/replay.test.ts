import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { type InjectedSinks, type ReplayWorkerOptions, Worker } from '@temporalio/worker'
import { beforeAll, describe, expect, test } from 'vitest'
import { dataConverter } from '../../src/platform/temporal/data-converter.ts'
import { installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { sample } from '../support/nightly.ts'
import { bundleFolder } from '../support/programs.ts'

installQuietRuntime()

// Histories of real workflows, one per path, named <workflow>.<outcome>.<how>.json.gz. To record:
// RECORD_HISTORIES=folder npm test -- FILE writes the history of every workflow in FILE. For
// `continued-as-new`, record test/bookings/long-runs.test.ts or, for other workflows, start the
// test Temporal server with limit.historyCount.suggestContinueAsNew=24 (test/support/servers.ts).
const folder = join(import.meta.dirname, '../histories')
const files = readdirSync(folder).filter((file) => file.endsWith('.json.gz'))

const read = (file: string) => gunzipSync(readFileSync(join(folder, file))).toString()

test.each([
  ...['confirmed', 'held', 'refused', 'completed', 'declined', 'expired', 'cancelled', 'no_show'],
  ...['released', 'failed', 'continued-as-new', 'continued', 'by-staff', 'by-system', 'amended'],
  ...['by-operator', 'call-cancelled', 'cancellation-requested', 'paid', 'unpaid', 'in-itinerary'],
  ...['on-test-clock', 'pause-ended', 'retried', 'rotated', 'disabled', 'replayed', 'deleted'],
  ...['batch-cancelled', 'batch-timed-out'],
  ...['any-of', 'itinerary', 'waitlist-entry', 'waitlist-scan', 'test-clock', 'webhook-delivery'],
  ...['webhook-upkeep', 'payment-upkeep', 'collect', 'mirror', 'retention', 'sweep'],
])('a recorded history of %s exists', (path) => {
  expect(files.some((file) => file.split('.').includes(path))).toBe(true)
})

describe.each([
  ['as it is', false],
  ['with traces', true],
] as const)('current code, %s,', (_, traced) => {
  const replayed = traced ? sample(files, 8) : files
  let options: ReplayWorkerOptions
  let errors: Map<string, unknown>

  /** Replays histories and returns the errors of each by its name. */
  async function replay(histories: readonly (readonly [name: string, json: string])[]) {
    const runs = histories.map(([workflowId, json]) => ({
      workflowId,
      history: historyFromJSON(JSON.parse(json)),
    }))
    const ends = new Map<string, unknown>()
    for await (const { workflowId, error } of Worker.runReplayHistories(options, runs)) {
      ends.set(workflowId, error)
    }
    return ends
  }

  beforeAll(async () => {
    const bundle = await workflowBundle(bundleFolder, traced)
    const sinks: InjectedSinks<any> = { exporter: { export: { fn() {} } } }
    options = { workflowBundle: bundle, sinks, dataConverter }
    errors = await replay(replayed.map((file) => [file, read(file)]))
  })

  test.each(replayed)('replays %s', (file) => {
    expect(errors.has(file)).toBe(true)
    expect(errors.get(file)).toBeUndefined()
  })

  test.each([
    ['mirror.completed', 'mirrorInRounds'],
    ['booking.declined.by-system', 'callVenue'],
    ['webhook-delivery.active.retried', 'retryDelivery'],
  ])('refuses %s with an activity other than %s', async (name, activity) => {
    const other = read(`${name}.json.gz`).replaceAll(activity, `${activity}Before`)
    const [error] = (await replay([[name, other]])).values()
    expect(error).toMatchObject({ name: 'DeterminismViolationError' })
  })
})
