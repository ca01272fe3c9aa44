import { readFailingRows } from '../../operators/operations/read-health.ts'
import type { FailingRow } from '../../platform/database/failing-rows.ts'
import type { Page } from '../dashboard/page.ts'
import * as ui from '../page/components.ts'
import { html } from '../page/html.ts'
import { OPERATORS, showOperators } from './operators-page.ts'

/** `/dashboard/operators/failing`: rows that the network’s own maintenance fails to process. */
export const failing: Page = async (scope, { services }) => {
  scope.get(`${OPERATORS}/failing`, async (_, reply) => {
    const rows = await readFailingRows(services)
    const none = ui.empty('No failing rows', 'The last pass of every step processed every row.')
    const body = html`
<p>Each pass retries these and continues with all others. A row leaves the list once a pass has
processed it.</p>
${ui.listTable('Failing rows', rows, columns, none)}`
    return showOperators(reply, ['Failing rows', 'Overview'], body)
  })
}

const columns: ui.Columns<FailingRow> = {
  Step: ({ step }) => step,
  Row: ({ row_id }) => html`<code>${row_id}</code>`,
  Error: ({ error }) => ui.breakable(error),
  Tries: ({ tries }) => ui.figure(ui.grouped(tries)),
  Since: ({ since }) => ui.when(since),
  'Last tried': ({ failed_at }) => ui.when(failed_at),
}
