import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { howToAsk } from '../../packages/cli/network/send-safely.ts'
import { withProgress } from '../../packages/cli/terminal/progress.ts'
import { readSecret } from '../../packages/cli/terminal/read-secret.ts'
import { fakeTerminal, Keyboard } from '../support/fake-terminal.ts'
import { eventually } from '../support/programs.ts'

/** Back to the start of the line, clearing the rest. */
const CLEAR = '\r\u001b[K'

test('a typed secret is hidden, can be corrected, and leaves the terminal as it was', async () => {
  const keyboard = new Keyboard()
  const { terminal, cleanups, written } = fakeTerminal(keyboard, true)
  const secret = readSecret(terminal, 'key: ')
  for (const text of ['sec', 'x', '\u007f', 'ret', '\r']) keyboard.emit('data', text)
  expect(await secret).toBe('secret')
  expect(written()).toBe('key: \n')
  expect(keyboard.raw).toEqual([true, false])
  cleanups.runAll()
  expect(keyboard.raw).toEqual([true, false])
  expect(keyboard.listenerCount('data')).toBe(0)
})

test('without a terminal the secret is all of stdin, without the final newline', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: false })
  const { terminal, written } = fakeTerminal(stdin, false)
  stdin.end('service_live_x\n')
  expect(await readSecret(terminal, 'key: ')).toBe('service_live_x')
  expect(written()).toBe('')
})

test('a short wait prints nothing', async () => {
  const { terminal, written } = fakeTerminal(null, true)
  expect(await withProgress(terminal, 'Waiting', async () => 7)).toBe(7)
  expect(written().replaceAll(CLEAR, '')).toBe('')
})

test('a longer wait shows its seconds and is erased at its end, also on failure', async () => {
  const { terminal, cleanups, written } = fakeTerminal(null, true)
  const isTold = (text: string) => /Waiting \d+ s$/.test(text)
  const work = withProgress(terminal, 'Waiting', async (say) => {
    await eventually('it says so', async () => isTold(written()))
    say('Again.')
    expect(written().endsWith(`${CLEAR}Again.\n`)).toBe(true)
    await eventually('it says so again', async () => isTold(written()))
    throw new Error('lost')
  })
  await expect(work).rejects.toThrow('lost')
  expect(written().endsWith(CLEAR)).toBe(true)
  const before = written()
  cleanups.runAll()
  expect(written()).toBe(before)
})

test('an interrupted wait prints the key on a line of its own', async () => {
  const { terminal, cleanups, written } = fakeTerminal(null, true)
  const forget = terminal.onInterrupt(() => terminal.say(howToAsk('once')))
  await withProgress(terminal, 'Waiting', async () => {
    await eventually('it says so', async () => /Waiting \d+ s$/.test(written()))
    cleanups.runAll()
    expect(written().endsWith(`${CLEAR}${howToAsk('once')}\n`)).toBe(true)
  })
  forget()
})
