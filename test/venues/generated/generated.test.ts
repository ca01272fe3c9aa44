import { expect, test } from 'vitest'
import { MAX_FAILED, runPhrases } from './run.ts'

const PHRASES = 250

test('generated phrases are answered with times for nothing but what was said', async () => {
  const { report, failures } = await runPhrases(PHRASES)
  if (failures > MAX_FAILED * PHRASES) console.log(report)
  expect(failures).toBeLessThanOrEqual(MAX_FAILED * PHRASES)
})
