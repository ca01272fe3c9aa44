import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'

const [file] = process.argv.slice(2)
if (!file) {
  console.error('usage: node src/commands/bundle-workflows.ts FILE')
  process.exit(1)
}
const silent = () => {}
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
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
