import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const callSeconds = [0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const statementSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30]

/** What a process shows at `/metrics`; `docs/operate/operations.md` says what each figure means and when to worry. */
export type Metrics = ReturnType<typeof createMetrics>

/** One registry per process, so that tests can build several. Every label has few values; none comes from a caller. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers })
  const seconds = <L extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: L[]
  ) => new Histogram({ name, help, buckets, labelNames, registers })
  const overloads = counter(
    'overload_refusals_total',
    'Calls refused because there was too much of something: event_loop, heap, rss or database',
    'reason',
  )
  for (const reason of ['event_loop', 'heap', 'rss', 'database']) overloads.inc({ reason }, 0)
  const readers = new Set<() => Promise<void> | void>()

  return {
    registry,
    /** Has `read` bring gauges up to date before each answer; what it returns ends that. */
    beforeScrape(read: () => Promise<void> | void): () => void {
      readers.add(read)
      return () => readers.delete(read)
    },
    /** Everything in the Prometheus text format. */
    async text(): Promise<string> {
      await Promise.all([...readers].map((read) => read()))
      return registry.metrics()
    },
    calls: seconds(
      'http_call_duration_seconds',
      'Time from the request to the answer of an operation; `code` is `ok` or a code of the error catalogue',
      callSeconds,
      'door',
      'operation',
      'code',
    ),
    callsInProgress: gauge(
      'http_calls_in_progress',
      'Operations that are being answered now',
      'door',
    ),
    parserRefusals: counter(
      'http_parser_refusals_total',
      'Connections whose bytes never became a request',
      'code',
    ),
    overloads,
    quotaRefusals: counter(
      'quota_refusals_total',
      'Calls refused because a limit was used up: of the day, or of an address',
      'policy',
      'tier',
    ),
    lostCalls: counter(
      'request_log_lost_calls_total',
      'Calls that are missing in the request logs of accounts, because the database was away for too long',
    ),
    mcpSessions: gauge('mcp_sessions', 'Open MCP event streams'),
    feedStreams: gauge('feed_streams', 'Open event streams of the feed'),
    bookingSteps: counter(
      'booking_steps_total',
      'Steps of bookings; `outcome` is the status that the step led to, or the code of the refusal',
      'activity',
      'outcome',
    ),
    resumedBookings: counter(
      'sweep_resumed_bookings_total',
      'Bookings that had lost their workflow and were given it back',
    ),
    activities: seconds(
      'activity_duration_seconds',
      'Time of one attempt of an activity; `result` is ok or failed',
      callSeconds,
      'activity',
      'result',
    ),
    venueCalls: seconds(
      'venue_call_duration_seconds',
      'Time of a call to the own system of a venue; `result` is what it said, or why nothing counted as an answer',
      callSeconds,
      'message',
      'result',
    ),
    webhookAttempts: seconds(
      'webhook_attempt_duration_seconds',
      'Time of a request to a subscriber; `result` is the hundreds of its status, or why there is none',
      callSeconds,
      'cause',
      'result',
    ),
    venueReadings: gauge(
      'venue_readings',
      'Venues with a system of their own, by how their availability was last read: ok, failed or late',
      'state',
    ),
    poolConnections: gauge(
      'database_pool_connections',
      'Connections of the pool, busy or idle',
      'part',
      'state',
    ),
    poolLimit: gauge('database_pool_connections_max', 'Connections that the pool may have', 'part'),
    poolWaiting: gauge(
      'database_pool_waiting',
      'Callers that wait for a connection of the pool now',
      'part',
    ),
    poolWaits: seconds(
      'database_connection_wait_seconds',
      'Time that callers waited for a connection of the pool',
      statementSeconds,
      'part',
    ),
    statements: seconds(
      'database_statement_duration_seconds',
      'Time of a statement on its connection, by its first word',
      statementSeconds,
      'part',
      'kind',
    ),
    queueBacklog: gauge(
      'task_queue_backlog_tasks',
      'Tasks that wait in the Temporal server for a worker',
      'task_queue',
      'kind',
    ),
    queueBacklogAge: gauge(
      'task_queue_backlog_age_seconds',
      'How long the oldest of these has waited',
      'task_queue',
      'kind',
    ),
    queuePollers: gauge(
      'task_queue_pollers',
      'Workers that asked for tasks of the queue in the last 75 s',
      'task_queue',
      'kind',
    ),
  }
}
