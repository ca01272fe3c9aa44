import { plainTable } from '../../src/platform/command-line/plain-table.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { openAgent } from '../../test/support/agent.ts'
import { createAgent, type Effort, Lost } from './agents/agent.ts'
import { measureAnswers } from './agents/budgets.ts'
import { type DoorName, doorNames, openDoor } from './agents/doors.ts'
import { openCrowd, openScene } from './agents/scene.ts'
import type { Task } from './agents/task.ts'
import { bookingTasks } from './agents/tasks-booking.ts'
import { fullTasks } from './agents/tasks-full.ts'
import { readingTasks } from './agents/tasks-reading.ts'
import { wrongTask } from './agents/tasks-wrong.ts'

const tasks: readonly Task[] = [...bookingTasks, ...fullTasks, ...readingTasks, wrongTask]

/** Calls allowed for a task, as a multiple of the fewest possible. */
const MAX_CALLS = 1.3

type Outcome = Effort & { failure?: string }
type Result = { door: string; outcomes: Outcome[] }
type BenchTarget = { db: Pool; url: string }

/**
 * The tasks of an uninstructed agent, at each door: its calls and the fewest possible, refusals,
 * and tokens in the answers. Fails if a task cannot be completed or takes too many calls.
 */
export async function benchAgents({ db, url }: BenchTarget): Promise<void> {
  const results = await doTasks({ db, url })
  console.log(table(results))
  const { rows, isWithin } = await measureAnswers(url, (await openAgent(db, url)).key)
  console.log(`\n${rows}`)
  const failed = failuresOf(results)
  for (const failure of failed) console.log(`\n${failure}`)
  if (failed.length > 0 || !isWithin) process.exitCode = 1
}

/** Runs every task at each of these doors, each with its own account for the agent's bookings. */
export async function doTasks(
  { db, url }: BenchTarget,
  doors: readonly DoorName[] = doorNames,
): Promise<Result[]> {
  const crowd = await openCrowd(db, url)
  const results: Result[] = []
  for (const name of doors) {
    const accounts = { pro: await openAgent(db, url), free: await openAgent(db, url, 'free') }
    const outcomes: Outcome[] = []
    for (const task of tasks) {
      const account = accounts[task.tier ?? 'pro']
      const scene = openScene(db, account, crowd)
      const door = await openDoor[name](url, account.key)
      const agent = createAgent(door)
      const failure = await task.run(agent, scene).then(() => undefined, failureOf)
      await scene.tidy()
      await door.close()
      outcomes.push({ ...agent.effort, ...(failure && { failure }) })
    }
    results.push({ door: name, outcomes })
  }
  return results
}

/** Failed tasks with their last calls, and doors with too many calls. */
export function failuresOf(results: readonly Result[]): string[] {
  const failed = results.flatMap(({ door, outcomes }) =>
    outcomes.flatMap(({ failure }, index) =>
      failure ? [`${door}: ${tasks[index]?.name}: ${failure}`] : [],
    ),
  )
  const slow = results
    .filter(({ outcomes }) => callsOf(outcomes) > MAX_CALLS * fewest)
    .map(({ door, outcomes }) => `${door}: ${callsOf(outcomes)} calls where ${fewest} do`)
  return [...failed, ...slow]
}

/** Describes the agent's failure; other errors end the bench. */
function failureOf(error: unknown): string {
  if (error instanceof Lost) return error.message
  throw error
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
const fewest = sum(tasks.map((task) => task.fewest))
const callsOf = (outcomes: readonly Effort[]) => sum(outcomes.map(({ calls }) => calls))

/** Calls/refusals and tokens of each task at each door. */
function table(results: readonly Result[]): string {
  const heads = ['task', 'fewest', ...results.flatMap(({ door }) => [door, 'tokens'])]
  const rows = tasks.map(({ name, fewest }, index) => [
    name,
    String(fewest),
    ...results.flatMap(({ outcomes }) => cellsOf(outcomes[index])),
  ])
  const totals = results.flatMap(({ outcomes }) => [
    `${callsOf(outcomes)}/${sum(outcomes.map(({ refusals }) => refusals))}`,
    String(sum(outcomes.map(({ tokens }) => tokens))),
  ])
  const done = results.flatMap(({ outcomes }) => [
    `${outcomes.filter(({ failure }) => !failure).length} of ${tasks.length}`,
    `${(callsOf(outcomes) / fewest).toFixed(2)} x`,
  ])
  return plainTable(heads, [
    ...rows,
    ['calls/refusals', String(fewest), ...totals],
    ['done; calls per fewest', '', ...done],
  ])
}

const cellsOf = (outcome: Outcome | undefined): string[] =>
  outcome
    ? [
        `${outcome.failure ? 'FAILED ' : ''}${outcome.calls}/${outcome.refusals}`,
        String(outcome.tokens),
      ]
    : ['', '']
