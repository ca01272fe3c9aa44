import type { WorkflowDefinitionOptions } from '@temporalio/common'
import { workflowInfo } from '@temporalio/workflow'

/**
 * Options for a workflow that ends within the hour, which stays on the worker version on which it
 * began. A worker without a build id must not declare a behaviour, or every task would fail.
 */
export function stayPinned(): WorkflowDefinitionOptions {
  const { deploymentName } = workflowInfo().currentDeploymentVersion ?? {}
  return deploymentName ? { versioningBehavior: 'PINNED' } : {}
}
