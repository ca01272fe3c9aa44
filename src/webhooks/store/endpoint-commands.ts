import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { EndpointCommandName } from '../rules/endpoint-messages.ts'

/** A command on an endpoint. It takes effect once for each id and name. */
export type EndpointCommand = {
  endpointId: string
  id: string
  name: EndpointCommandName
  at: Date
}

/** Records a command in the transaction of its effect. False if it is already recorded. */
export const insertEndpointCommand = (tx: Db, command: EndpointCommand) =>
  query.affectsRow(tx)`
    insert into endpoint_command (endpoint_id, id, name, at)
    values (${command.endpointId}, ${command.id}, ${command.name}, ${command.at})
    on conflict do nothing`

/** Whether a command has taken effect. */
export const hasEndpointCommand = (db: Db, { endpointId, id, name }: EndpointCommand) =>
  query.affectsRow(db)`
    select from endpoint_command
    where endpoint_id = ${endpointId} and id = ${id} and name = ${name}`

/** Commands older than a time. */
export const oldEndpointCommands = (before: Date) =>
  rowsBefore('endpoint_command', 'at', before, 'endpoint_id, at')
