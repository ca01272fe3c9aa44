import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, rename } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { payloadConverterPath } from './data-converter.ts'

const root = resolve(import.meta.dirname, '../../..')
const fromRoot = (path: string) => relative(root, path)
const bundler = fileURLToPath(new URL('./bundle-workflows.ts', import.meta.url))

/**
 * The workflow bundle, built once per version of the sources and kept in `folder`. A separate
 * process builds it, because the bundler takes 200 MB that a worker would never release. `traced`
 * selects another bundle, because OpenTelemetry takes memory in each workflow.
 */
export async function workflowBundle(
  folder: string,
  traced = false,
): Promise<{ codePath: string }> {
  const name = traced ? 'traced-workflows' : 'workflows'
  const codePath = resolve(folder, `${name}-${await sourceHash()}.js`)
  if (!existsSync(codePath)) {
    await mkdir(folder, { recursive: true })
    const unfinished = `${codePath}.${process.pid}`
    const args = [bundler, unfinished, ...(traced ? ['--traced'] : [])]
    await promisify(execFile)(process.execPath, args)
    await rename(unfinished, codePath)
  }
  return { codePath }
}

/** Every file that the bundle can contain, relative to the root. */
export async function bundleInputs(): Promise<string[]> {
  const inputs = ['package-lock.json', ...[bundler, payloadConverterPath].map(fromRoot)]
  const patterns = ['workflows/**/*.ts', 'src/*/rules/**/*.ts', 'src/base/*.ts']
  for await (const file of glob(patterns, { cwd: root })) inputs.push(file)
  return inputs.sort()
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await bundleInputs())
    hash.update(file).update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
