import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withProgress } from '../../src/local/progress.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function written(seconds: number, isTTY: boolean, columns = 80): Promise<string> {
  const parts: string[] = []
  const out = { isTTY, columns, write: (part: string) => parts.push(part) }
  const work = new Promise<void>((done) => setTimeout(done, seconds * 1000))
  const progress = withProgress('Downloading', work, () => '7 MB', out)
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  await progress
  return parts.join('')
}

test('a step under two seconds prints nothing', async () => {
  expect(await written(1.9, true)).toBe('')
  expect(await written(1.9, false)).toBe('')
})

test('on a terminal one line counts the seconds and stays', async () => {
  const line = (seconds: number) => `\r\x1b[KDownloading … ${seconds} s, 7 MB`
  expect(await written(4.5, true)).toBe(`${line(2)}${line(3)}${line(4)}\n`)
})

test('a line wider than the terminal does not wrap', async () => {
  expect(await written(2.5, true, 12)).toBe('\r\x1b[KDownloading\n')
})

test('without a terminal there are few lines and no control characters', async () => {
  const lines = (await written(347, false)).trimEnd().split('\n')
  expect(lines).toHaveLength(12)
  expect(lines.slice(0, 2)).toEqual(['Downloading … 2 s, 7 MB', 'Downloading … 32 s, 7 MB'])
})
