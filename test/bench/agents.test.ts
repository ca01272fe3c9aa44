import { expect } from 'vitest'
import { doTasks, failuresOf } from '../../tools/bench/agents.ts'
import type { Service } from '../support/network.ts'
import { test } from '../support/service.ts'

let service: Service
test.beforeAll(async ({ service: shared }) => {
  service = shared
})

test('an agent that was told nothing does every task at each door, in few calls', async () => {
  const results = await doTasks(service)
  expect(results.map(({ outcomes }) => outcomes.length)).toEqual([15, 15, 15, 15])
  expect(failuresOf(results)).toEqual([])
})
