import { networkProfile } from '../../src/contract/rules/network.ts'
import type { Cluster } from './cluster.ts'

/** What a person sees when the cluster runs: where its parts are, and the commands that find it. */
export function clusterText(cluster: Cluster, dataDir: string): string {
  const { url, temporalAddress, temporalUi } = cluster
  const keys = `DATA_DIR="${dataDir}" npm run --silent keys -- create --tier pro --name demo`
  return [
    '',
    `The cluster of ${networkProfile.name} is ready`,
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
    'Ctrl-C stops everything; starting again continues where it stopped.',
    '',
  ].join('\n')
}
