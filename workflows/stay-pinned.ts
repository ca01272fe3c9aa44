import type { WorkflowDefinitionOptions } from '@temporalio/common'
import { workflowInfo } from '@temporalio/workflow'

/**
 * Options of a workflow that is over within the hour: it ends on the worker version on which it
 * began. A worker without a build id may not name a behaviour: it would fail every task.
 */
export function stayPinned(): WorkflowDefinitionOptions {
  const { deploymentName } = workflowInfo().currentDeploymentVersion ?? {}
  return deploymentName ? { versioningBehavior: 'PINNED' } : {}
}
