import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const callSeconds = [0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const statementSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30]

/** How often the event loop's lag is measured. Each measurement wakes an idle process. */
const PROBE_MS = 100

/** `docs/operate/operations.md` explains every figure in `/metrics`. */
export type Metrics = ReturnType<typeof createMetrics>

/** One registry per process. Labels have few possible values, none of which come from callers. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: PROBE_MS })
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
  const overloads = counter('overload_refusals_total', 'Calls refused under overload', 'reason')
  for (const reason of ['event_loop', 'heap', 'rss', 'database']) overloads.inc({ reason }, 0)
  const readers = new Set<() => Promise<void> | void>()

  return {
    registry,
    /** Runs `read` before each scrape until the returned function is called. */
    beforeScrape(reader: () => Promise<void> | void): () => void {
      readers.add(reader)
      return () => readers.delete(reader)
    },
    async text(): Promise<string> {
      await Promise.all([...readers].map((read) => read()))
      return registry.metrics()
    },
    calls: seconds(
      'http_call_duration_seconds',
      'Time to answer an operation; `code` is `ok` or an error code',
      callSeconds,
      'door',
      'operation',
      'code',
    ),
    callsInProgress: gauge('http_calls_in_progress', 'Operations in progress', 'door'),
    parserRefusals: counter('http_parser_refusals_total', 'Bytes that were not HTTP', 'code'),
    overloads,
    quotaRefusals: counter('quota_refusals_total', 'Calls over a limit', 'policy', 'tier'),
    lostCalls: counter('request_log_lost_calls_total', 'Calls missing from request logs'),
    mcpSessions: gauge('mcp_sessions', 'Open MCP event streams'),
    feedStreams: gauge('feed_streams', 'Open event streams of the feed'),
    bookingSteps: counter('booking_steps_total', 'Steps of bookings', 'activity', 'outcome'),
    overdueBookings: gauge('overdue_bookings', 'Bookings with a step that is overdue'),
    resumedWorkflows: counter(
      'sweep_resumed_workflows_total',
      'Workflows that were lost, or could not continue',
      'workflow',
      'how',
    ),
    missingWorkflows: gauge('workflows_missing', 'Open rows without a running workflow', 'kind'),
    failingRows: gauge('failing_rows', 'Rows on which a pass fails, until it succeeds', 'step'),
    scheduleAge: gauge(
      'schedule_last_success_age_seconds',
      'Time since the last successful run of a schedule',
      'schedule',
    ),
    activities: seconds(
      'activity_duration_seconds',
      'Attempt of an activity',
      callSeconds,
      'activity',
      'result',
    ),
    venueCalls: seconds(
      'venue_call_duration_seconds',
      'Call to a venue',
      callSeconds,
      'message',
      'result',
    ),
    webhookAttempts: seconds(
      'webhook_attempt_duration_seconds',
      'Request to a subscriber',
      callSeconds,
      'cause',
      'result',
    ),
    firstAttemptLag: seconds(
      'webhook_first_attempt_lag_seconds',
      'From when a delivery was due to its first attempt',
      callSeconds,
    ),
    dueDeliveries: gauge('webhook_due_deliveries', 'Deliveries that are due and not sent'),
    oldestDue: gauge('webhook_oldest_due_seconds', 'How late the longest-waiting delivery is'),
    endpoints: gauge('webhook_endpoints', 'Endpoints', 'state'),
    noticeAttempts: counter('notice_attempts_total', 'Messages to venues', 'channel', 'result'),
    oldestNotice: gauge('notice_oldest_unsent_seconds', 'How late the oldest unsent notice is'),
    venueReadings: gauge('venue_readings', 'Venues by last reading: ok, failed or late', 'state'),
    poolConnections: gauge('database_pool_connections', 'Connections of the pool', 'part', 'state'),
    poolLimit: gauge('database_pool_connections_max', 'Limit of the pool', 'part'),
    poolWaiting: gauge('database_pool_waiting', 'Callers waiting for a connection', 'part'),
    poolWaits: seconds(
      'database_connection_wait_seconds',
      'Wait for a connection',
      statementSeconds,
      'part',
    ),
    statements: seconds(
      'database_statement_duration_seconds',
      'Statement by first word',
      statementSeconds,
      'part',
      'kind',
    ),
    queueBacklog: gauge('task_queue_backlog_tasks', 'Waiting tasks', 'task_queue', 'kind'),
    queueBacklogAge: gauge('task_queue_backlog_age_seconds', 'Oldest task', 'task_queue', 'kind'),
    queuePollers: gauge('task_queue_pollers', 'Workers that polled in 75 s', 'task_queue', 'kind'),
  }
}
