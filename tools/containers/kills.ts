import { runTool } from '../../src/local/programs.ts'
import type { Callers, Load } from './callers.ts'
import type { Compose, Container } from './compose.ts'

/** Kills each container once, one after the other, while callers book. */
export function killEach(compose: Compose, callers: Callers): Promise<Load> {
  return callers.during(async () => {
    for (const container of await compose.containers()) {
      const { service } = container
      const count = (await compose.containers()).filter((one) => one.service === service).length
      await kill(compose.image, container)
      await compose.becomesReady(service, count, container)
      await callers.book()
    }
  })
}

/**
 * Kills the first process from outside the container: after `docker kill` an engine does not
 * restart a container, and from inside nothing can kill it.
 */
async function kill(image: string, { pid }: Container): Promise<void> {
  const options = ['--rm', '--pid', 'host', '--network', 'none', '--user', '0']
  const program = ['node', '-e', `process.kill(${pid}, 'SIGKILL')`]
  await runTool('docker', ['run', ...options, image, ...program])
}
