import type { TestProject } from 'vitest/node'
import { startTestServers } from './servers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** administrator of the test PostgreSQL; tests take a database from `createDatabase` */
    databaseUrl: string
    temporalAddress: string
  }
}

/** Runs once before all files; what it returns runs once after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await startTestServers()
  project.provide('databaseUrl', servers.databaseUrl)
  project.provide('temporalAddress', servers.temporalAddress)
  return servers.stop
}
