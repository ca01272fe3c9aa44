import { expect, test } from 'vitest'
import { runPhrases } from './run.ts'

const PHRASES = 20_000
const MINUTES = 20

test(
  'of 20,000 generated phrases, none is answered with times for anything but what was said',
  async () => {
    const { report, failures } = await runPhrases(PHRASES)
    console.log(report)
    expect(failures).toBe(0)
  },
  MINUTES * 60_000,
)
