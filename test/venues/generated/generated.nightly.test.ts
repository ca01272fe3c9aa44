import { expect, test } from 'vitest'
import { MAX_FAILED, runPhrases } from './run.ts'

const PHRASES = 20_000
const MINUTES = 20

test(
  '20,000 generated phrases are answered with times for nothing but what was said',
  async () => {
    const { report, failures } = await runPhrases(PHRASES)
    console.log(report)
    expect(failures).toBeLessThanOrEqual(MAX_FAILED * PHRASES)
  },
  MINUTES * 60_000,
)
