import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, rename } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../../..')
const bundler = fileURLToPath(new URL('./bundle-workflows.ts', import.meta.url))

/**
 * The workflow bundle for a worker, made once per version of the sources and kept in `folder`. A process of its own makes
 * it: the bundler takes some 200 MB that the worker would never give back. `traced` workflows carry OpenTelemetry inside, which
 * costs memory in each of them; so that is another bundle.
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
    await promisify(execFile)(process.execPath, [
      bundler,
      unfinished,
      ...(traced ? ['--traced'] : []),
    ])
    await rename(unfinished, codePath)
  }
  return { codePath }
}

/** What decides the bundle: every file that it can hold, relative to the project's folder. */
export async function bundleInputs(): Promise<string[]> {
  const inputs = ['package-lock.json', relative(root, bundler)]
  const patterns = ['workflows/**/*.ts', 'src/*/rules/**/*.ts', 'src/*/rules.ts']
  for await (const file of glob(patterns, { cwd: root })) inputs.push(file)
  return inputs.sort()
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await bundleInputs())
    hash.update(file).update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
