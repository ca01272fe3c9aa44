import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { bundleWorkflowCode } from '@temporalio/worker'
import { workflowBundle } from '../../../src/platform/temporal/workflow-bundle.ts'

const root = resolve(import.meta.dirname, '../../..')
const BOOKING = 'workflows/bookings/booking.ts'

/** The memo field in which the changed workflow counts its additional steps. */
export const DRILL_MEMO = 'drill'

const step = (patch: string) =>
  `if (patched('${patch}')) {
    upsertMemo({ ${DRILL_MEMO}: '${patch}' })
    await sleep(20, { summary: 'a step of the next release' })
  }
  `
/** The next release’s booking workflow: an extra step at its start, and one before its commands. */
const changes: [anchor: string, replacement: string][] = [
  ['import {\n', 'import {\n  patched,\n  sleep,\n  upsertMemo,\n'],
  ['  let state = take(', `  ${step('drill-begin')}let state = take(`],
  ['        const { runCommands } =', `        ${step('drill-command')}const { runCommands } =`],
]

/**
 * Builds a next release's workflows from a copy of these: code that this release cannot replay.
 * Returns the DATA_DIR for its workers.
 */
export async function buildChangedWorkflows(dataDir: string): Promise<string> {
  const changed = join(dataDir, 'changed')
  await mkdir(changed)
  await cp(join(root, 'workflows'), join(changed, 'workflows'), { recursive: true })
  for (const name of ['src', 'activities', 'node_modules']) {
    await symlink(join(root, name), join(changed, name))
  }
  let code = await readFile(join(root, BOOKING), 'utf8')
  for (const [anchor, replacement] of changes) {
    const [before, after, ...more] = code.split(anchor)
    const isFirstImport = anchor.startsWith('import')
    if (after === undefined || (more.length > 0 && !isFirstImport)) {
      throw new Error(`${BOOKING} has changed: the drill no longer finds "${anchor.trim()}" once.`)
    }
    code = [`${before}${replacement}${after}`, ...more].join(anchor)
  }
  await writeFile(join(changed, BOOKING), code)
  const bundle = await bundleWorkflowCode({
    workflowsPath: join(changed, 'workflows/index.ts'),
    logger: quiet,
  })
  // A worker looks for the bundle of its own sources; this release's workers have built theirs.
  const { codePath } = await workflowBundle(dataDir)
  await writeFile(join(changed, basename(codePath)), bundle.code)
  return changed
}

const silent = () => {}
const quiet = {
  log: silent,
  trace: silent,
  debug: silent,
  info: silent,
  warn: console.warn,
  error: console.error,
}
