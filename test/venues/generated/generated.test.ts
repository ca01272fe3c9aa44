import { expect, test } from 'vitest'
import { runPhrases } from './run.ts'

const PHRASES = 500

test('no answer to a generated phrase shows times for anything but what was said', async () => {
  const { report, failures } = await runPhrases(PHRASES)
  if (failures > 0) console.log(report)
  expect(failures).toBe(0)
})
