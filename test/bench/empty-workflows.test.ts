import { inject, test } from 'vitest'
import { emptyWorkflows } from '../../tools/bench/empty-workflows.ts'

test('consecutive benches run empty workflows in the same process', async () => {
  const server = { temporalAddress: inject('temporalAddress') }
  for (const _bench of ['first', 'second']) {
    const engine = await emptyWorkflows(server, 'test')
    await engine.run()
    await engine.stop()
  }
})
