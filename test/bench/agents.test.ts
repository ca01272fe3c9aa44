import { afterAll, beforeAll, expect, test } from 'vitest'
import { doorNames } from '../../tools/bench/agents/doors.ts'
import { doTasks, failuresOf } from '../../tools/bench/agents.ts'
import { openService, type Service } from '../support/network.ts'
import { daily } from '../support/nightly.ts'

let service: Service
beforeAll(async () => {
  service = await openService({}, { isDemo: true })
})
afterAll(() => service?.close())

test('an uninstructed agent completes every task at each door in few calls', async () => {
  const doors = daily(doorNames)
  const results = await doTasks(service, doors)
  expect(results.map(({ outcomes }) => outcomes.length)).toEqual(doors.map(() => 15))
  expect(failuresOf(results)).toEqual([])
})
