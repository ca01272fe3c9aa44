import { expect, test } from 'vitest'
import { fuzzDoors } from '../support/fuzz.ts'
import { openService } from '../support/network.ts'

test('80 fuzzed calls at each door get answers that match its schemas', async () => {
  const service = await openService()
  const codes = await fuzzDoors(service, 80, 1)
  expect(codes.ok).toBeGreaterThan(20)
  expect(Object.keys(codes).length).toBeGreaterThan(8)
  await service.close()
})
