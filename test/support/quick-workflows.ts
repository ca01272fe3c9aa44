import { promiseHooks } from 'node:v8'
import { Script } from 'node:vm'

// Half of the CPU time of a workflow task goes into a thread for each call into the sandbox, which
// would end an endless loop, and into a stack trace for each promise, for whoever asks where a
// workflow waits. Nightly tests have both, as production does.

const { runInContext } = Script.prototype
Script.prototype.runInContext = function (context, { timeout, ...options } = {}) {
  return runInContext.call(this, context, options)
}
promiseHooks.createHook = () => () => {}
