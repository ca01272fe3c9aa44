import { test as base } from 'vitest'
import { openAgent } from './agent.ts'
import { openService, type Service } from './network.ts'
import { recordHistories } from './record-histories.ts'

/**
 * A service that tests share: one for all files in a vitest process, with an account per file. A
 * test that changes venues or settings opens another.
 */
export const test = base
  .extend('shared', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const service = await openService()
    onCleanup(service.close)
    return service
  })
  .extend('service', { scope: 'file' }, async ({ shared }, { onCleanup }): Promise<Service> => {
    onCleanup(() => recordHistories(shared.client))
    return { ...shared, agent: await openAgent(shared.db, shared.url) }
  })
