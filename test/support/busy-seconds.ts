import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    busySeconds?: number
  }
}

/** For how long the processor worked for this process and the programs that it has started. */
function busySeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
}

const before = busySeconds()
afterAll(({}, suite) => {
  suite.file.meta.busySeconds = busySeconds() - before
})
