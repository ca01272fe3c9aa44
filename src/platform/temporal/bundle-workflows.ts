import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'
import { payloadConverterPath } from './data-converter.ts'

const INTERCEPTORS = '@temporalio/interceptors-opentelemetry/lib/workflow-interceptors'

const [file, traced] = process.argv.slice(2)
if (!file) {
  console.error('usage: node src/platform/temporal/bundle-workflows.ts FILE [--traced]')
  process.exit(1)
}
const silent = () => {}
const workflowsPath = fileURLToPath(new URL('../../../workflows/index.ts', import.meta.url))
const { code } = await bundleWorkflowCode({
  workflowsPath,
  payloadConverterPath,
  // Modules evaluated once rather than in each run, which then needs a fifth of the memory.
  // Workflow modules must therefore keep no state: all runs would share it.
  preloadModules: [workflowsPath],
  workflowInterceptorModules: traced ? [createRequire(import.meta.url).resolve(INTERCEPTORS)] : [],
  logger: {
    log: silent,
    trace: silent,
    debug: silent,
    info: silent,
    warn: console.warn,
    error: console.error,
  },
})
await writeFile(file, code)
