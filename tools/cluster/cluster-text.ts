import { networkProfile } from '../../src/base/network.ts'
import type { Cluster } from './cluster.ts'

/** The text printed once the cluster is ready: URLs, paths and commands to try. */
export function clusterText(cluster: Cluster, dataDir: string): string {
  const { url, temporalAddress, temporalUi } = cluster
  const keys = `DATA_DIR="${dataDir}" npm run --silent keys -- create --tier pro --name demo`
  return [
    '',
    `The ${networkProfile.name} cluster is ready`,
    '',
    `  API            ${url}`,
    `  API reference  ${url}/reference`,
    `  Temporal       ${temporalAddress}`,
    `  Temporal UI    ${'url' in temporalUi ? temporalUi.url : `none (${temporalUi.missing})`}`,
    `  Data           ${dataDir}`,
    `  Logs           ${dataDir}/{api,worker-1,worker-2,temporal,temporal-ui,postgres}.log`,
    '',
    '# A key',
    `KEY=$(${keys} | tail -n 1)`,
    '',
    '# Search',
    `curl -s "${url}/api/venues/search?q=dinner+in+Canggu" -H "Authorization: Bearer $KEY"`,
    '',
    'Ctrl-C stops everything; the next start continues with the same data.',
    '',
  ].join('\n')
}
