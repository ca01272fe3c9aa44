import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSweepActivities } from '../../activities/sweep.ts'
import { sweepSteps } from '../../src/compose/parts.ts'
import { scheduledWorkflows } from '../../src/compose/schedules.ts'
import { countFailingRows } from '../../src/platform/database/failing-rows.ts'
import { type PassName, passes } from '../../src/platform/database/passes.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { showFailing } from '../../src/platform/telemetry/pass-metrics.ts'
import { clockParts } from '../support/activities.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { calls } from './poisoned/calls.ts'
import { erasures } from './poisoned/erasures.ts'
import { money } from './poisoned/money.ts'
import { waitlist } from './poisoned/waitlist.ts'
import { type Case, createWorld, poisonRow, type Rows, type World } from './poisoned/world.ts'

/** Every pass has a case here: the compiler reports any that is missing. */
const cases: Record<Extract<PassName, (typeof passes)[keyof typeof passes][number]>, Case> = {
  ...erasures,
  ...calls,
  ...money,
  ...waitlist,
}

let doors: Doors
let world: World
let operator: Browser
let cure: () => Promise<unknown> = async () => {}
beforeAll(async () => {
  doors = await openDoors()
  world = createWorld(doors)
  operator = await openBrowser(doors, { isOperator: true })
  await doors.db.query(`
    create function poison() returns trigger language plpgsql as
      $$ begin raise exception 'a poisoned row'; end $$`)
})
afterEach(async () => {
  await cure()
  await doors.db.query('delete from failing_row')
})
afterAll(() => doors?.close())

test('every periodic workflow and every step of the sweep is a pass', async () => {
  const { resumeAll: _, ...periodic } = passes
  expect(Object.keys(periodic).toSorted()).toEqual(scheduledWorkflows.toSorted())
  const { db, log, engine } = world
  const deps = { db, log, engine, clockParts }
  const { sweepInRounds } = createSweepActivities(deps, sweepSteps(deps))
  const swept = await new MockActivityEnvironment().run(sweepInRounds, { count: 1, seconds: 0 })
  expect(Object.keys(swept as object).toSorted()).toEqual(passes.sweep.toSorted())
})

async function poison({ ids: [bad = ''], poison }: Rows): Promise<() => Promise<unknown>> {
  if (poison === 'calls') {
    world.poisoned.add(bad)
    return async () => world.poisoned.clear()
  }
  if ('table' in poison) return poisonRow(world.db, poison, bad)
  await world.db.query(poison.put)
  return () => world.db.query(poison.cure)
}

const failing = async () =>
  (await doors.db.query('select step, row_id, tries from failing_row order by step, row_id')).rows

const inAnHour = () => new Date(Date.now() + 3_600_000)
const inTwoHours = () => new Date(Date.now() + 7_200_000)

test.each(Object.values(passes).flat())(
  '%s helps all rows but the one that fails, which operators see until it is helped',
  async (pass) => {
    const rows = await cases[pass](world)
    const [bad = '', ...others] = rows.ids
    expect(others).toHaveLength(2)
    expect((await rows.left()).toSorted()).toEqual(rows.ids.toSorted())
    cure = await poison(rows)
    await rows.run(inAnHour()).catch((error) => expect(String(error)).toContain('poisoned'))
    expect(await rows.left()).toEqual([bad])

    const step = expect.stringMatching(new RegExp(`^${pass}( |$)`))
    expect(await failing()).toEqual([{ step, row_id: bad, tries: 1 }])
    const { html } = await operator.get('/dashboard/operators/failing')
    expect(html).toContain(bad)
    const metrics = createMetrics()
    showFailing(metrics, () => countFailingRows(doors.db))
    expect(await metrics.text()).toMatch(new RegExp(`failing_rows\\{step="${pass}"[^}]*\\} 1\n`))

    await cure()
    cure = async () => {}
    await rows.run(inTwoHours())
    expect(await rows.left()).toEqual([])
    expect(await failing()).toEqual([])
  },
)
