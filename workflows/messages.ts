import {
  ApplicationFailure,
  CancellationScope,
  defineSignal,
  defineUpdate,
  getCurrentDetails,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow'
import { faultIn, type Shape } from './shapes.ts'

/** A message that anybody with access to Temporal can send; the UI shows its description. */
type Message = {
  name: string
  /** its effect, and its input as JSON, if any */
  about: string
  inputs?: readonly Shape[]
}

/**
 * Handles an update; rejects malformed inputs before they enter the history. The caller's wait
 * survives a request to cancel the workflow. `rejection` says why no update is accepted now.
 */
export function onUpdate<R, A extends unknown[]>(
  { name, about, inputs = [] }: Message,
  handle: (...inputs: A) => Promise<R>,
  rejection?: () => ApplicationFailure | undefined,
): void {
  setHandler(
    defineUpdate<R, A>(name),
    (...values) => CancellationScope.nonCancellable(() => handle(...values)),
    {
      description: about,
      validator(...inputValues) {
        const now = rejection?.()
        if (now) throw now
        const fault = faultIn(inputValues, inputs)
        if (fault) throw ApplicationFailure.nonRetryable(`${fault} ${about}`, 'MalformedMessage')
      },
    },
  )
}

/** Handles a signal immediately. The handler must check its inputs, because nothing else does. */
export const onSignal = (
  { name, about }: Message,
  handle: (...values: unknown[]) => void | Promise<void>,
): void => setHandler(defineSignal<unknown[]>(name), handle, { description: about })

/**
 * Runs a workflow that continues after *Request Cancellation*, because its rows decide when it is
 * over. Until then, its details say what to do `instead`.
 */
export function outlive<R>(instead: string, work: () => Promise<R>): Promise<R> {
  CancellationScope.current().cancelRequested.catch(() =>
    setCurrentDetails([getCurrentDetails(), ignored(instead)].join('\n\n')),
  )
  return CancellationScope.nonCancellable(async () => {
    const end = await work()
    setCurrentDetails(getCurrentDetails().replace(`\n\n${ignored(instead)}`, ''))
    return end
  })
}

/** Shows the details of a workflow that continues after a request to cancel it. */
export const showDetails = (lines: readonly string[], instead: string): void =>
  setCurrentDetails([...lines, ...(isCancelRequested() ? [ignored(instead)] : [])].join('\n\n'))

const ignored = (instead: string) => `**Request Cancellation ended nothing.** ${instead}`

function isCancelRequested(): boolean {
  let scope: CancellationScope | undefined = CancellationScope.current()
  while (scope?.parent) scope = scope.parent
  return scope?.consideredCancelled ?? false
}
