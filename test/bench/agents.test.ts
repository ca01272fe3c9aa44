import { afterAll, beforeAll, expect, test } from 'vitest'
import { doTasks, failuresOf } from '../../tools/bench/agents.ts'
import { openService, type Service } from '../support/network.ts'

let service: Service
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())

test('an uninstructed agent completes every task at each door in few calls', async () => {
  const results = await doTasks(service)
  expect(results.map(({ outcomes }) => outcomes.length)).toEqual([15, 15, 15, 15])
  expect(failuresOf(results)).toEqual([])
})
