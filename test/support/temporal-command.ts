import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'
import type { Service } from './network.ts'

const run = promisify(execFile)

/** The command `temporal`, as typed by an operator: `temporal workflow …` for one workflow. */
export async function openTemporalCommand({ config }: Pick<Service, 'config'>) {
  const cli = await findTemporalCli({ chosen: process.env.TEMPORAL_CLI })
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = config
  const server = ['--address', address, '--namespace', namespace]
  const temporal = async (...words: string[]) =>
    (await run(cli, ['workflow', ...words, ...server])).stdout
  /** Each input as JSON, or an option with its value. */
  const inputsOf = (inputs: readonly (string | readonly string[])[]) =>
    inputs.flatMap((one) => (typeof one === 'string' ? ['--input', one] : one))
  const sending =
    (...words: string[]) =>
    (workflowId: string, name: string, ...inputs: (string | readonly string[])[]) =>
      temporal(...words, '-w', workflowId, '--name', name, ...inputsOf(inputs))
  return {
    temporal,
    signal: sending('signal'),
    query: sending('query'),
    update: sending('update', 'execute'),
  }
}
