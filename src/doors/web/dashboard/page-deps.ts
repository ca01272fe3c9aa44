import type { Config } from '../../../config.ts'
import type { Services } from '../../../contract/operation.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import type { Guards } from '../../guards/guards.ts'
import type { CallOperation } from './call-operation.ts'

/** What every page may use. */
export type DashboardDeps = {
  services: Services
  guards: Guards
  call: CallOperation
  log: Log
  config: Config
}
