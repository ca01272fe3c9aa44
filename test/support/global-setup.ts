import type { TestProject } from 'vitest/node'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { bundleFolder, compileService } from './programs.ts'
import { findTestServers, startTestServers, useTestServers } from './servers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** the test PostgreSQL as administrator; tests get a database from `createDatabase` */
    databaseUrl: string
    temporalAddress: string
    /** the doors of a running network on the same servers; null if each test file opens its own */
    baseUrl: string | null
  }
}

/**
 * Starts the servers once before all files, if any file needs them. The returned function runs once
 * after all files.
 */
export default async function setup(
  project: TestProject,
): Promise<undefined | (() => Promise<void>)> {
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return undefined
  const running = findTestServers(process.env)
  const [servers] = await Promise.all([
    running ? useTestServers(running) : startTestServers(),
    compileService(),
    // Otherwise each process would build the same bundle when it starts.
    workflowBundle(bundleFolder),
  ])
  project.provide('databaseUrl', servers.databaseUrl)
  project.provide('temporalAddress', servers.temporalAddress)
  project.provide('baseUrl', servers.baseUrl)
  return servers.stop
}
