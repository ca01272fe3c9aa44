import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { bundleInputs, workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { bundleFolder } from '../support/programs.ts'

const root = resolve(import.meta.dirname, '../..')

/** The project's files in a bundle, according to its source map. */
async function filesIn(codePath: string): Promise<string[]> {
  const code = await readFile(codePath, 'utf8')
  const [, map = ''] = /sourceMappingURL=data:application\/json[^,]*,(\S+)/.exec(code) ?? []
  const { sources } = JSON.parse(Buffer.from(map, 'base64').toString()) as { sources: string[] }
  return sources
    .filter((file) => file.startsWith(root) && file.endsWith('.ts'))
    .map((file) => relative(root, file))
    .filter((file) => !file.startsWith('node_modules'))
}

test.each([false, true])(
  'the name of the bundle depends on every file in it (traced: %s)',
  async (traced) => {
    const { codePath } = await workflowBundle(bundleFolder, traced)
    const files = await filesIn(codePath)
    expect(files).toContain('workflows/bookings/booking.ts')
    expect(files).toContain('src/webhooks/rules/retry-schedule.ts')
    const inputs = await bundleInputs()
    expect(files.filter((file) => !inputs.includes(file))).toEqual([])
  },
)

// All runs in a worker share the bundle's modules (`preloadModules`).
const state =
  /^(?:export )?(?:let|var) |^(?:export )?const .*= (?:new (?:Map|Set|WeakMap|Array)\b|\[\]|\{\})/m

test('no module of workflows keeps state', async () => {
  const { codePath } = await workflowBundle(bundleFolder)
  const sources = await Promise.all(
    (await filesIn(codePath)).map(async (file) => ({
      file,
      text: await readFile(resolve(root, file), 'utf8'),
    })),
  )
  expect(sources.filter(({ text }) => state.test(text)).map(({ file }) => file)).toEqual([])
})

test('workflows share the modules of the bundle, which are loaded before the first', async () => {
  const { codePath } = await workflowBundle(bundleFolder)
  const loaded: Record<string, unknown> = {}
  const globals = { TextEncoder, TextDecoder, URL, AbortController }
  const context = createContext({ ...globals, __webpack_module_cache__: loaded })
  runInContext(await readFile(codePath, 'utf8'), context)
  runInContext('__TEMPORAL__.preloadModules()', context)
  const shared = Object.keys(loaded)
  expect(shared).toContain('./workflows/bookings/booking.ts')
  runInContext('__TEMPORAL__.importWorkflows()', context)
  expect(Object.keys(loaded)).toEqual(shared)
})
