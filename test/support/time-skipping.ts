import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { TestWorkflowEnvironment } from '@temporalio/testing'

const VERSION = '1.38.0'

/** Temporal's time-skipping test server, fetched once through Maven, or why it is missing. */
export function timeSkippingServer(): { path: string } | { reason: string } {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'venue-network', `temporal-test-server-${VERSION}`)
  if (existsSync(join(folder, 'lib'))) return { path: writeScript(folder) }
  for (const program of ['java', 'mvn']) {
    try {
      execFileSync(program, ['-version'], { stdio: 'ignore' })
    } catch {
      return {
        reason: `the time-skipping server comes through Maven, and there is no \`${program}\``,
      }
    }
  }
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  try {
    writeFileSync(join(unfinished, 'pom.xml'), pom)
    const copy = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib']
    execFileSync('mvn', copy, { cwd: unfinished, timeout: 180_000, stdio: 'pipe' })
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
    return { path: writeScript(folder) }
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    return { reason: `Maven could not fetch the time-skipping server: ${error}` }
  }
}

/** Options to start Java fast: one simple compilation, one thread for garbage collection. */
const QUICK = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto'

/** The script that starts the server; concurrent test files write the same content. */
function writeScript(folder: string): string {
  const path = join(folder, 'test-server')
  const java = `java ${QUICK} -cp "${folder}/lib/*"`
  const text = `#!/bin/sh\nexec ${java} io.temporal.testserver.TestServer "$@"\n`
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return path
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, text)
  chmodSync(unfinished, 0o755)
  renameSync(unfinished, path)
  return path
}

const TRIES = 12

/** Starts the server, with retries: on a busy machine Java may take longer than the SDK's 5 s. */
export async function startTimeSkipping(path: string): Promise<TestWorkflowEnvironment> {
  const server = { executable: { type: 'existing-path', path } as const }
  for (let tries = 1; ; tries += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({ server })
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>time-skipping</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`
