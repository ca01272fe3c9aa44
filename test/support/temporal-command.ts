import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'
import type { Service } from './network.ts'

const run = promisify(execFile)

/** The command `temporal`, as an operator types it: `temporal workflow …` for one workflow. */
export async function openTemporalCommand({ config }: Pick<Service, 'config'>) {
  const cli = await findTemporalCli({ chosen: process.env.TEMPORAL_CLI })
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = config
  const server = ['--address', address, '--namespace', namespace]
  const temporal = async (...words: string[]) =>
    (await run(cli, ['workflow', ...words, ...server])).stdout
  /** Each input as JSON, or an option with its value. */
  const inputsOf = (inputs: readonly (string | readonly string[])[]) =>
    inputs.flatMap((one) => (typeof one === 'string' ? ['--input', one] : one))
  return {
    temporal,
    signal: (workflowId: string, name: string, ...inputs: (string | readonly string[])[]) =>
      temporal('signal', '-w', workflowId, '--name', name, ...inputsOf(inputs)),
    update: (workflowId: string, name: string, ...inputs: (string | readonly string[])[]) =>
      temporal('update', 'execute', '-w', workflowId, '--name', name, ...inputsOf(inputs)),
  }
}
